import { Refusal } from '../../domain/errors.ts'
import { endDriverSession, useDriverSession } from '../../store/own-couriers/driver-access.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { accountsOfToken, hashOfToken } from '../tokens/driver-token.ts'

/** A logged-in driver: their phone, and the accounts in which they are a courier now. */
export type Driver = { phone: string; accountIds: readonly string[] }

/** A driver who performs a step, which writes its audit row in its own transaction. */
export type ActingDriver = Driver & { record: WriteAudit }

/** A session expires after this time without a request; wall time, as is its maximum life of 7 days. */
const IDLE_MS = 12 * 3_600_000

/** Refuses `unauthorized` for a missing, wrong or expired token, or a courier who was deactivated. */
export async function getDriver(deps: Deps, token: string | null): Promise<Driver> {
  const named = token === null ? null : accountsOfToken(token)
  const accountIds = (named ?? []).filter((accountId) => deps.accounts.head(accountId))
  if (token === null || accountIds.length === 0) throw notLoggedIn(token)
  const session = await useDriverSession(
    deps.db,
    {
      accountIds,
      hash: hashOfToken(token),
      idleMs: IDLE_MS,
      namesOne: named?.length === 1,
    },
    accountIds.map((accountId) => deps.accounts.nowMs(accountId)),
  )
  if (!session) throw notLoggedIn(token)
  return session
}

/** Ends the session in all processes at once, and returns its driver; null for an invalid token. */
export async function endSession(
  deps: Deps,
  token: string,
): Promise<{ accountId: string; phone: string } | null> {
  const accountIds = accountsOfToken(token)
  return accountIds && endDriverSession(deps.db, accountIds, hashOfToken(token))
}

function notLoggedIn(token: string | null): Refusal {
  const details = token === null ? {} : { challenge: 'invalid_token' }
  return new Refusal('unauthorized', 'Log in with your phone first: POST /driver/login.', { details })
}
