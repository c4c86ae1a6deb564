import { SCOPES } from '../../src/operations/directory/caller.ts'
import { type Ask, type Credentials, good } from './http.ts'

/** Too high to matter: rate limits are not under test. */
export const NO_LIMITS = { requests_per_second: 10_000, burst: 10_000 }

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
