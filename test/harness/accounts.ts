import { SCOPES } from '../../src/operations/directory/caller.ts'
import { type Ask, asker, type Credentials, good, inTurn, type Reply, retrying } from './http.ts'

/** Too high to matter: rate limits are not under test. */
export const NO_LIMITS = { requests_per_second: 10_000, burst: 10_000 }
const PATIENCE_MS = 60_000

/** The operator at any API: settings may be sent twice, and an API learns of a new account a moment later. */
export function operatorOf(apis: readonly string[], token: string): Ask {
  const isLater = ({ status }: Reply) => status >= 500 || status === 404
  return retrying(inTurn(apis.map((api) => asker(api, token))), isLater, PATIENCE_MS)
}

/** Applies an account with its secrets, as the operator; returns the credentials of a client with every scope. */
export async function openAccount(
  operate: Ask,
  document: { tenant_id: string } & Record<string, unknown>,
  secrets: Readonly<Record<string, string>> = {},
): Promise<Credentials> {
  const path = `/admin/accounts/${document.tenant_id}`
  await good(operate(`PUT ${path}`, { body: document }), 'Applying the account')
  for (const [name, secret] of Object.entries(secrets)) {
    await good(operate(`PUT ${path}/secrets/${name}`, { body: { secret } }), `Secret ${name}`)
  }
  const body = { name: 'Harness', scopes: SCOPES }
  return good(operate(`POST ${path}/clients`, { body }), 'Creating a client')
}

/** `nowMs` is called for each try: a retry with an earlier time would move the clock back. */
export async function setClock(operate: Ask, accountId: string, nowMs: () => number): Promise<void> {
  const body = () => ({ now: new Date(nowMs()).toISOString() })
  await good(operate(`PUT /admin/accounts/${accountId}/clock`, { body }), 'Setting the clock')
}

/** One clock for several accounts: it runs, and can be moved forward. */
export async function startClock(operate: Ask, accountIds: readonly string[], fromMs: number) {
  let offsetMs = fromMs - performance.now()
  const nowMs = () => offsetMs + performance.now()
  const forward = async (minutes: number): Promise<void> => {
    offsetMs += minutes * 60_000
    for (const id of accountIds) await setClock(operate, id, nowMs)
  }
  await forward(0)
  return { nowMs, forward }
}
