import { isDeepStrictEqual } from 'node:util'
import type { PoolClient } from 'pg'
import { Refusal } from '../../domain/errors.ts'
import { mayOwnClients, type Role, type User } from '../../domain/people/user.ts'
import { announceAccount } from '../../store/accounts/accounts.ts'
import { revokeClientsOfOwner } from '../../store/accounts/api-clients.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { lockUser, updateUser } from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { listAccessIssues, refuseMistakes, storesFor, toAccess } from './user-access.ts'
import type { LinkDeps } from './user-links.ts'
import { getUser } from './users.ts'

export type UserChange = {
  name?: string
  role?: Role
  storeReferences?: readonly string[] | null
  disabled?: boolean
}

/**
 * Changes a user's access, from their next request on. The API clients of a person who may no longer own them end.
 * Refuses `own_access_change` if users change their own access: otherwise
 * the last admin could lock themselves out.
 */
export async function changeUser(
  deps: LinkDeps,
  accountId: string,
  userId: string,
  { change, by }: { change: UserChange; by: string },
  record: WriteAudit,
): Promise<User> {
  const { role, storeReferences, disabled } = change
  // Before the transaction: to load an account needs a connection of its own.
  const account = (await deps.accounts.find(accountId))?.account ?? null
  const { changed, hasEnded } = await withTransaction(deps.db, async (db) => {
    await lockUser(db, accountId, userId)
    const user = await getUser({ db }, accountId, userId)
    if (by === userId && (role !== undefined || storeReferences !== undefined || disabled !== undefined)) {
      throw new Refusal(
        'own_access_change',
        'You can’t change your own access. Ask another admin to change it.',
      )
    }
    const next = {
      name: change.name ?? user.name,
      role: role ?? user.role,
      storeReferences: storesFor(role ?? user.role, storeReferences, user.storeReferences),
      disabled: disabled ?? user.status === 'disabled',
    }
    // A store that was removed since then does not block a change of name.
    if (role !== undefined || storeReferences !== undefined) {
      refuseMistakes(listAccessIssues(account, next))
    }
    await updateUser(db, user, next)
    const changed = await getUser({ db }, accountId, userId)
    const endedClients = mayOwnClients(changed) ? [] : await endClients(db, user)
    const [before, after] = [toAccess(user), toAccess(changed)]
    const ended = endedClients.length > 0 && { ended_clients: endedClients }
    const isSame = user.name === changed.name && isDeepStrictEqual(before, after)
    await record(db, isSame ? null : { accountId, object: userId, before, after: { ...after, ...ended } })
    return { changed, hasEnded: endedClients.length > 0 }
  })
  if (hasEnded) await deps.accounts.refresh()
  return changed
}

/** Revokes the person's API clients; every process hears of it within 2 s. Returns their ids. */
async function endClients(db: PoolClient, owner: Pick<User, 'accountId' | 'userId'>): Promise<string[]> {
  const ended = await revokeClientsOfOwner(db, owner)
  for (const accountId of new Set(ended.map((one) => one.accountId))) await announceAccount(db, accountId)
  return ended.map(({ clientId }) => clientId)
}
