import { Refusal } from '../domain/errors.ts'
import { ROLE_SCOPES, type User } from '../domain/people/user.ts'
import { endSession, readSession } from '../store/user-sessions.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { accountOfToken, userTokenHash } from './user-token.ts'

/** Without a request for so long a session is over; wall time, as its whole life. */
const IDLE_MS = 4 * 3_600_000
/** A person logs in once a day. */
export const SESSION_LIFE_MS = 24 * 3_600_000

/**
 * Who is logged in. It is asked of the database each time, so that logging out, disabling and changing a role hold
 * at once in every process. Refuses `unauthorized`.
 */
export async function personOf(deps: Pick<Deps, 'db'>, token: string | null): Promise<User> {
  if (token === null) throw new Refusal('unauthorized', 'Log in first: POST /session.')
  const accountId = accountOfToken(token)
  const found =
    accountId && (await readSession(deps.db, { accountId, tokenHash: userTokenHash(token), idleMs: IDLE_MS }))
  if (!found) {
    throw new Refusal('unauthorized', 'The session is over. Log in again.', {
      details: { challenge: 'invalid_token' },
    })
  }
  const { passwordHash: _, ...user } = found
  return user
}

/** Ends the session everywhere at once; a token that is none ends nothing. */
export async function endUserSession(deps: Pick<Deps, 'db'>, token: string): Promise<void> {
  const accountId = accountOfToken(token)
  if (accountId) await endSession(deps.db, accountId, userTokenHash(token))
}

/** A person as the account's endpoints know callers. */
export function callerOf({ userId, role, storeReferences }: User): Caller {
  return {
    clientId: userId,
    scopes: SCOPES_OF[role],
    storeReferences: storeReferences && new Set(storeReferences),
  }
}

const SCOPES_OF = {
  operator: new Set(ROLE_SCOPES.operator),
  merchant_admin: new Set(ROLE_SCOPES.merchant_admin),
  store_clerk: new Set(ROLE_SCOPES.store_clerk),
} as const
