import type { Pool, PoolClient } from 'pg'
import { Refusal } from '../../domain/errors.ts'
import { emailKey, INSTALLATION, type User } from '../../domain/people/user.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  findUser,
  insertUser,
  listUsers as listRows,
  listUsersByEmail,
  lockUser,
} from '../../store/people/users.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { hashPassword, passwordIssues } from './password.ts'
import { type Access, listAccessIssues, refuseMistakes, storesFor, toAccess } from './user-access.ts'
import { type LinkDeps, sendUserLink } from './user-links.ts'

/** A user, and the link at which they set a password. */
export type Invited = { user: User; address: string }

/** Stores the response in the transaction of the change. */
type KeepInvited = (db: PoolClient, invited: Invited) => Promise<void>
const keepNothing: KeepInvited = async () => {}

export type NewUser = Access & { email: string }

/** All users of the account, oldest first. */
export async function listUsers({ db }: { db: Pool }, accountId: string): Promise<User[]> {
  return (await listRows(db, accountId)).map(({ passwordHash: _, ...user }) => user)
}

/** Refuses `not_found`. */
export async function getUser({ db }: { db: Db }, accountId: string, userId: string): Promise<User> {
  const found = await findUser(db, accountId, userId)
  if (!found) throw new Refusal('not_found', `There is no user ${userId}.`)
  const { passwordHash: _, ...user } = found
  return user
}

/** Creates a user, who chooses name and password at the link that is sent and returned. */
export async function inviteUser(
  deps: LinkDeps,
  accountId: string,
  asked: NewUser,
  record: WriteAudit,
  keep: KeepInvited = keepNothing,
): Promise<Invited> {
  await refuseAccess(deps, accountId, asked)
  return withTransaction(deps.db, async (db) => {
    const userId = await insert(deps, db, accountId, asked, { name: null, passwordHash: null })
    const user = await getUser({ db }, accountId, userId)
    const address = await sendUserLink(deps, db, user, 'invitation')
    await record(db, { accountId, object: userId, after: toAccess(user) })
    await keep(db, { user, address })
    return { user, address }
  })
}

/** Creates a user who can log in at once. */
export async function addUser(
  deps: LinkDeps,
  accountId: string,
  asked: NewUser & { name: string; password: string },
  record: WriteAudit,
): Promise<User> {
  refuseMistakes(passwordIssues(asked.password, asked.email))
  await refuseAccess(deps, accountId, asked)
  const hash = await hashPassword(deps, asked.email, asked.password)
  return withTransaction(deps.db, async (db) => {
    const userId = await insert(deps, db, accountId, asked, { name: asked.name, passwordHash: hash })
    const user = await getUser({ db }, accountId, userId)
    await record(db, { accountId, object: userId, after: toAccess(user) })
    return user
  })
}

/** A new invitation, which invalidates the one before. Refuses `user_active` for a user with a password. */
export async function inviteAgain(
  deps: LinkDeps,
  accountId: string,
  userId: string,
  record: WriteAudit,
  keep: KeepInvited = keepNothing,
): Promise<Invited> {
  return withTransaction(deps.db, async (db) => {
    await lockUser(db, accountId, userId)
    const user = await getUser({ db }, accountId, userId)
    if (user.status !== 'invited') throw notInvited(user)
    const address = await sendUserLink(deps, db, user, 'invitation')
    await record(db, { accountId, object: userId })
    await keep(db, { user, address })
    return { user, address }
  })
}

/** Sends the link at which a forgotten password is replaced; the old password works until then. */
export async function resetPassword(
  deps: LinkDeps,
  accountId: string,
  userId: string,
  record: WriteAudit,
): Promise<Invited> {
  return withTransaction(deps.db, async (db) => {
    await lockUser(db, accountId, userId)
    const user = await getUser({ db }, accountId, userId)
    if (user.status !== 'active') {
      throw new Refusal(
        'user_not_active',
        `${user.email} is ${user.status}, so there is no password to reset.`,
      )
    }
    const address = await sendUserLink(deps, db, user, 'password_reset')
    await record(db, { accountId, object: userId })
    return { user, address }
  })
}

/** The user with an email address. Refuses `not_found`. */
export async function getUserByEmail(deps: { db: Pool }, accountId: string, email: string): Promise<User> {
  const found = await findUserByEmail(deps, accountId, email)
  if (!found) throw new Refusal('not_found', `There is no user ${email}.`)
  return found
}

export async function findUserByEmail(
  { db }: { db: Pool },
  accountId: string,
  email: string,
): Promise<User | null> {
  const [found] = await listUsersByEmail(db, [accountId], emailKey(email))
  if (!found) return null
  const { passwordHash: _, ...user } = found
  return user
}

/** Before a transaction, because loading an account takes a connection of its own. */
async function refuseAccess(
  { accounts }: Pick<LinkDeps, 'accounts'>,
  accountId: string,
  { email, role, storeReferences }: NewUser,
): Promise<void> {
  const entry = accountId === INSTALLATION ? null : await accounts.find(accountId)
  if (accountId !== INSTALLATION && !entry) {
    throw new Refusal('not_found', `There is no account ${accountId}.`)
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    const message = `"${email}" is not an email address. Write an address such as jobs@example.com.`
    refuseMistakes([{ field: 'email', issue: 'invalid_value', message }])
  }
  const access = { role, storeReferences: storesFor(role, storeReferences ?? undefined, null) }
  refuseMistakes(listAccessIssues(entry?.account ?? null, access))
}

async function insert(
  deps: LinkDeps,
  db: Db,
  accountId: string,
  { email, role, storeReferences: stores }: NewUser,
  rest: { name: string | null; passwordHash: string | null },
): Promise<string> {
  const storeReferences = storesFor(role, stores ?? undefined, null)
  const userId = deps.newId('usr')
  const made = { accountId, userId, email: emailKey(email), role, storeReferences, ...rest }
  if (await insertUser(db, made)) return userId
  const [existing] = await listUsersByEmail(db, [accountId], made.email)
  throw new Refusal('duplicate_user', `${made.email} is already a user.`, {
    details: { user_id: existing?.userId },
  })
}

function notInvited({ email, status }: User): Refusal {
  return new Refusal('user_active', `${email} is ${status} and needs no invitation.`)
}
