import type { Account } from '../../domain/account/account.ts'
import { Refusal } from '../../domain/errors.ts'
import type { User } from '../../domain/people/user.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { type Identity, linkIdentity, unlinkIdentities } from '../../store/people/user-identities.ts'
import { endOtherSessions, holdsSession } from '../../store/people/user-sessions.ts'
import { endUserSessions, findUser, lockUser } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { type Person, userTokenHash } from '../tokens/user-token.ts'
import { type Credentials, confirmIdentity } from './check-second-factor.ts'

// Linking, unlinking and logging in lock the user's row first: of two at once, the second sees what the first did.

/** Whether the user can log in with the provider that the account has now. */
export function isLinked(account: Account, { linkedIssuers }: User): boolean {
  const issuer = account.openIdConnect?.issuer
  return issuer !== undefined && linkedIssuers.includes(issuer)
}

/**
 * Links an identity to the person, whose session began it. `taken`: it is linked to another user of the account; the
 * person's earlier one stays. `ended`: the session has ended since, perhaps because an admin unlinked the person.
 */
export async function linkOpenId(
  deps: Pick<Deps, 'db'>,
  person: Person,
  identity: Identity,
  record: WriteAudit,
): Promise<'linked' | 'taken' | 'ended'> {
  const { accountId, userId, sessionId } = person
  return withTransaction(deps.db, async (db) => {
    await lockUser(db, accountId, userId)
    if (!(await holdsSession(db, person, sessionId))) return 'ended'
    // Thrown, so that the transaction is rolled back.
    if (!(await linkIdentity(db, person, identity))) throw new IdentityTaken()
    // The subject identifies the person, and belongs in no log.
    const after = { linked: true, issuer: identity.issuer }
    await record(db, { accountId, object: userId, after, by: { kind: 'user', actor: userId } })
    return 'linked' as const
  }).catch((error: unknown) => {
    if (error instanceof IdentityTaken) return 'taken'
    throw error
  })
}

class IdentityTaken extends Error {}

/**
 * Unlinks the person's identities, after their password and code. Their other sessions end: one of them may have been opened
 * with an identity that is not theirs. Refuses `not_found` and what `confirmIdentity` refuses.
 */
export async function unlinkOpenId(
  deps: Deps,
  person: Person,
  { token, ...credentials }: Credentials & { token: string },
  record: WriteAudit,
): Promise<void> {
  await confirmIdentity(deps, person, credentials)
  const { accountId, userId } = person
  await withTransaction(deps.db, async (db) => {
    await lockUser(db, accountId, userId)
    if (!(await unlinkIdentities(db, person))) {
      throw new Refusal('not_found', 'Your login is not linked to a provider.')
    }
    const ended = await endOtherSessions(db, person, userTokenHash(token))
    await record(db, { accountId, object: userId, after: { linked: false, ended_sessions: ended } })
  })
}

/**
 * Unlinks the identities of another user, and ends their sessions. Refuses `not_found`, and `own_access_change` for
 * one's own: `by` is the user or client that makes the request.
 */
export async function unlinkOpenIdOfUser(
  { db: pool }: Pick<Deps, 'db'>,
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  by: string,
  record: WriteAudit,
): Promise<User> {
  if (userId === by) {
    throw new Refusal(
      'own_access_change',
      'To unlink your own login, go to Your account and enter your password.',
    )
  }
  return withTransaction(pool, async (db) => {
    await lockUser(db, accountId, userId)
    const user = await findUser(db, accountId, userId)
    if (!user) throw new Refusal('not_found', `There is no user ${userId}.`)
    const wasLinked = await unlinkIdentities(db, user)
    if (wasLinked) await endUserSessions(db, accountId, userId)
    await record(db, wasLinked ? { accountId, object: userId, after: { linked: false } } : null)
    const { passwordHash: _, ...rest } = user
    return { ...rest, linkedIssuers: [] }
  })
}
