import { Refusal } from '../../domain/errors.ts'
import { ROLE_SCOPES, type User } from '../../domain/people/user.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  endOtherSessions,
  endSession,
  endSessionById,
  listSessions,
  type OwnSession,
  readSession,
} from '../../store/people/user-sessions.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../directory/caller.ts'
import { accountOfToken, type Person, userTokenHash } from '../tokens/user-token.ts'
import { requiresFactor } from './second-factor.ts'

/** A session expires after this time without a request; wall time, as is its maximum life. */
const IDLE_MS = 4 * 3_600_000
/** A person logs in once a day. */
export const SESSION_LIFE_MS = 24 * 3_600_000

/**
 * Authenticates a person. The session is read from the database each time, so that a logout, a deactivation or a
 * changed role takes effect in every process at once. Refuses `unauthorized`, and `second_factor_setup_required` for a
 * person who must first set up a second factor.
 */
export async function getPerson(deps: SessionDeps, token: string | null): Promise<Person> {
  const person = await personEnrolling(deps, token)
  if ((await requiresFactor(deps, person)) && !person.bySecondFactor) {
    throw new Refusal(
      'second_factor_setup_required',
      'You need a second factor for this. Set up an authenticator app first.',
    )
  }
  return person
}

/** The same for a person who must still set up a second factor, which is all that they may do. */
export async function personEnrolling(deps: Pick<Deps, 'db'>, token: string | null): Promise<Person> {
  if (token === null) throw new Refusal('unauthorized', 'Log in first: POST /session.')
  const accountId = accountOfToken(token)
  const found =
    accountId && (await readSession(deps.db, { accountId, tokenHash: userTokenHash(token), idleMs: IDLE_MS }))
  if (!found) {
    throw new Refusal('unauthorized', 'Your session has ended. Log in again.', {
      details: { challenge: 'invalid_token' },
    })
  }
  const { passwordHash: _, ...user } = found
  return user
}

type SessionDeps = Pick<Deps, 'db' | 'accounts' | 'live'>

/** Ends the session in all processes at once; an invalid token ends nothing. */
export async function endUserSession(deps: Pick<Deps, 'db'>, token: string): Promise<void> {
  const accountId = accountOfToken(token)
  if (accountId) await endSession(deps.db, accountId, userTokenHash(token))
}

/** The person's own sessions that are not over; the one used last comes first. */
export async function listOwnSessions(deps: Pick<Deps, 'db'>, person: Person): Promise<OwnSession[]> {
  return listSessions(deps.db, person, IDLE_MS)
}

/** Ends one of the person's own sessions in all processes at once. Refuses `not_found`. */
export async function endOwnSession(
  deps: Pick<Deps, 'db'>,
  person: Person,
  sessionId: string,
  record: WriteAudit,
): Promise<void> {
  await withTransaction(deps.db, async (db) => {
    if (!(await endSessionById(db, person, sessionId))) {
      throw new Refusal('not_found', 'You have no such session, or it has ended already.')
    }
    await record(db, { accountId: person.accountId, object: person.userId, after: { ended_sessions: 1 } })
  })
}

/** Ends the person's sessions except the one of this token; returns how many. */
export async function endOwnOtherSessions(
  deps: Pick<Deps, 'db'>,
  person: Person,
  token: string,
  record: WriteAudit,
): Promise<number> {
  return withTransaction(deps.db, async (db) => {
    const ended = await endOtherSessions(db, person, userTokenHash(token))
    const trace = { accountId: person.accountId, object: person.userId, after: { ended_sessions: ended } }
    await record(db, ended > 0 ? trace : null)
    return ended
  })
}

/** A person as a caller of the account's endpoints. */
export function toCaller({ userId, role, storeReferences }: User): Caller {
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
