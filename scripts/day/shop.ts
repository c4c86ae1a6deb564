import { exampleDocument } from '../../test/demo-account.ts'
import { NO_LIMITS, openAccount, setClock } from '../../test/harness/accounts.ts'
import { type Ask, asker, nameOf, type Reply, retrying, signedIn } from '../../test/harness/http.ts'

/** The account that the day is played in. */
export type Shop = {
  accountId: string
  /** As the shop's system; paths are relative to the account. */
  ask: Ask
  operator: Ask
  setClock(nowMs: number): Promise<void>
}

/** What the day's account has in addition to the demo's document. */
type Additions = { document?: Record<string, unknown>; secrets?: Readonly<Record<string, string>> }

const PATIENCE_MS = 5_000

/** A separate account: the demo's document under another id, with limits too high to matter. */
export async function openShop(
  base: string,
  operatorToken: string,
  { document: more = {}, secrets = {} }: Additions = {},
): Promise<Shop> {
  const accountId = `day-${Date.now().toString(36)}`
  const again = (ask: Ask) => retrying(ask, isRetryLater, PATIENCE_MS)
  const operator = again(asker(base, operatorToken))
  const demo = exampleDocument('demo-account') as Record<string, unknown>
  const document = { ...demo, tenant_id: accountId, name: 'A day', limits: NO_LIMITS, ...more }
  const credentials = await openAccount(operator, document, secrets)
  return {
    accountId,
    ask: again(signedIn(again(asker(`${base}/${accountId}`)), credentials)),
    operator,
    setClock: (nowMs) => setClock(operator, accountId, () => nowMs),
  }
}

/** A 401 asks for another token: a day may take longer than a token is valid. */
function isRetryLater(reply: Reply): boolean {
  return [401, 429, 503].includes(reply.status) || nameOf(reply) === '409 idempotency_in_progress'
}
