import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { SCOPES } from '../../src/operations/directory/caller.ts'
import { type Api, api, good } from './client.ts'

/** The account that the day is played in. */
export type Shop = {
  accountId: string
  /** As the shop's system; paths are relative to the account. */
  ask: Api
  operator: Api
  setClock(nowMs: number): Promise<void>
}

const DEMO = new URL('../../examples/demo-account.yaml', import.meta.url)
const RENEW_AFTER_MS = 30 * 60_000
const LIMITS = { requests_per_second: 10_000, burst: 10_000 }

/** What the day's account has in addition to the demo's document. */
type Furniture = { document?: Record<string, unknown>; secrets?: Readonly<Record<string, string>> }

/** A separate account: the demo's document under another id, with limits too high to matter. */
export async function openShop(
  base: string,
  operatorToken: string,
  { document: more = {}, secrets = {} }: Furniture = {},
): Promise<Shop> {
  const accountId = `day-${Date.now().toString(36)}`
  const operator = api(base, async () => operatorToken)
  const demo = parse(await readFile(DEMO, 'utf8'), { merge: true }) as Record<string, unknown>
  const document = { ...demo, tenant_id: accountId, name: 'A day', limits: LIMITS, ...more }
  good(await operator('PUT', `/admin/accounts/${accountId}`, document), 'Applying the account')
  for (const [name, secret] of Object.entries(secrets)) {
    good(await operator('PUT', `/admin/accounts/${accountId}/secrets/${name}`, { secret }), `Secret ${name}`)
  }
  const made = good(
    await operator('POST', `/admin/accounts/${accountId}/clients`, { name: 'Day', scopes: SCOPES }),
    'Creating a client',
  )
  return {
    accountId,
    ask: api(`${base}/${accountId}`, renewed(base, accountId, made.data)),
    operator,
    async setClock(nowMs) {
      const now = new Date(nowMs).toISOString()
      good(await operator('PUT', `/admin/accounts/${accountId}/clock`, { now }), 'Setting the clock')
    },
  }
}

/** A token that is fetched again before it expires. */
function renewed(base: string, accountId: string, client: { client_id: string; client_secret: string }) {
  const anybody = api(base, async () => '')
  let token: Promise<string> | null = null
  let fetchedAtMs = 0
  return (): Promise<string> => {
    if (token === null || performance.now() - fetchedAtMs > RENEW_AFTER_MS) {
      fetchedAtMs = performance.now()
      const body = { grant_type: 'client_credentials', ...client }
      token = anybody('POST', `/${accountId}/auth/token`, body).then(
        (reply) => good(reply, 'Getting a token').access_token as string,
      )
    }
    return token
  }
}
