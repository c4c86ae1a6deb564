import type { Pool } from 'pg'
import { type Issue, Refusal } from '../domain/errors.ts'
import { emailKey, INSTALLATION, type Role, type User } from '../domain/people/user.ts'
import { didYouMean } from '../domain/text/nearest.ts'
import type { Db } from '../store/deliveries.ts'
import { withTransaction } from '../store/pool.ts'
import { findUser, insertUser, listUsers as listRows, listUsersByEmail, updateUser } from '../store/users.ts'
import type { Record } from './audit.ts'
import { hashPassword, requirePassword } from './password.ts'
import { type LinkDeps, sendUserLink } from './user-links.ts'

export type NewUser = { email: string; role: Role; storeReferences: readonly string[] | null }

/** Everybody who may enter the account, oldest first. */
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

/** Makes a user who chooses name and password at the address that is sent and answered. */
export async function inviteUser(
  deps: LinkDeps,
  accountId: string,
  asked: NewUser,
  record: Record,
): Promise<{ user: User; address: string }> {
  return withTransaction(deps.db, async (db) => {
    const userId = await insert(deps, db, accountId, asked, { name: null, passwordHash: null })
    const user = await getUser({ db }, accountId, userId)
    const address = await sendUserLink(deps, db, user, 'invitation')
    await record(db, { accountId, object: userId, after: accessOf(user) })
    return { user, address }
  })
}

/** Makes a user who can log in at once. */
export async function addUser(
  deps: LinkDeps,
  accountId: string,
  asked: NewUser & { name: string; password: string },
  record: Record,
): Promise<User> {
  requirePassword(asked.password, asked.email)
  const hash = await hashPassword(deps, asked.email, asked.password)
  return withTransaction(deps.db, async (db) => {
    const userId = await insert(deps, db, accountId, asked, { name: asked.name, passwordHash: hash })
    const user = await getUser({ db }, accountId, userId)
    await record(db, { accountId, object: userId, after: accessOf(user) })
    return user
  })
}

/** A new invitation; the one before opens nothing any more. Refuses `user_active` for whoever has a password. */
export async function inviteAgain(
  deps: LinkDeps,
  accountId: string,
  userId: string,
  record: Record,
): Promise<{ user: User; address: string }> {
  return withTransaction(deps.db, async (db) => {
    const user = await getUser({ db }, accountId, userId)
    if (user.status !== 'invited') throw notInvited(user)
    const address = await sendUserLink(deps, db, user, 'invitation')
    await record(db, { accountId, object: userId })
    return { user, address }
  })
}

/** Sends the address at which a forgotten password is replaced; the old one holds until then. */
export async function resetPassword(
  deps: LinkDeps,
  accountId: string,
  userId: string,
  record: Record,
): Promise<{ user: User; address: string }> {
  return withTransaction(deps.db, async (db) => {
    const user = await getUser({ db }, accountId, userId)
    if (user.status !== 'active') {
      throw new Refusal(
        'user_not_active',
        `${user.email} is ${user.status}: there is no password to replace.`,
      )
    }
    const address = await sendUserLink(deps, db, user, 'password_reset')
    await record(db, { accountId, object: userId })
    return { user, address }
  })
}

export type UserChange = {
  name?: string
  role?: Role
  storeReferences?: readonly string[] | null
  disabled?: boolean
}

/**
 * Changes what a user may do, from their next request on. Refuses `own_access` for whoever would change what they may
 * do themselves: the last admin would be out.
 */
export async function changeUser(
  deps: LinkDeps,
  accountId: string,
  userId: string,
  { change, by }: { change: UserChange; by: string },
  record: Record,
): Promise<User> {
  const { role, storeReferences, disabled } = change
  return withTransaction(deps.db, async (db) => {
    const user = await getUser({ db }, accountId, userId)
    if (by === userId && (role !== undefined || storeReferences !== undefined || disabled !== undefined)) {
      throw new Refusal('own_access', 'What you may do yourself is changed by somebody else.')
    }
    const next = {
      name: change.name ?? user.name,
      role: role ?? user.role,
      storeReferences: storesFor(role ?? user.role, storeReferences, user.storeReferences),
      disabled: disabled ?? user.status === 'disabled',
    }
    refuseMistakes(mistakesOf(deps, accountId, next))
    await updateUser(db, user, next)
    const changed = await getUser({ db }, accountId, userId)
    await record(db, { accountId, object: userId, before: accessOf(user), after: accessOf(changed) })
    return changed
  })
}

/** Who is meant by an e-mail address. Refuses `not_found`. */
export async function userByEmail({ db }: { db: Pool }, accountId: string, email: string): Promise<User> {
  const [found] = await listUsersByEmail(db, [accountId], emailKey(email))
  if (!found) throw new Refusal('not_found', `There is no user ${email}.`)
  const { passwordHash: _, ...user } = found
  return user
}

async function insert(
  deps: LinkDeps,
  db: Db,
  accountId: string,
  { email, role, storeReferences: stores }: NewUser,
  rest: { name: string | null; passwordHash: string | null },
): Promise<string> {
  if (accountId !== INSTALLATION && !deps.accounts.find(accountId)) {
    throw new Refusal('not_found', `There is no account ${accountId}.`)
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    const message = `"${email}" is not an e-mail address.`
    refuseMistakes([{ field: 'email', issue: 'invalid_value', message }])
  }
  const storeReferences = storesFor(role, stores ?? undefined, null)
  refuseMistakes(mistakesOf(deps, accountId, { role, storeReferences }))
  const userId = deps.newId('usr')
  const made = { accountId, userId, email: emailKey(email), role, storeReferences, ...rest }
  if (await insertUser(db, made)) return userId
  const [existing] = await listUsersByEmail(db, [accountId], made.email)
  throw new Refusal('duplicate_user', `${made.email} is a user already.`, {
    details: { user_id: existing?.userId },
  })
}

/** A clerk's stores are named; everybody else has all. Null from a caller asks for none of them. */
function storesFor(
  role: Role,
  asked: readonly string[] | null | undefined,
  now: readonly string[] | null,
): readonly string[] | null {
  if (role !== 'store_clerk') return asked ?? null
  return asked === undefined ? (now ?? []) : [...new Set(asked)]
}

function mistakesOf(
  deps: Pick<LinkDeps, 'accounts'>,
  accountId: string,
  { role, storeReferences }: Pick<NewUser, 'role' | 'storeReferences'>,
): Issue[] {
  if ((role === 'operator') !== (accountId === INSTALLATION)) {
    const message = 'Operators belong to the installation, everybody else to an account.'
    return [{ field: 'role', issue: 'conflict', message }]
  }
  if (role !== 'store_clerk') {
    const message = 'Only clerks are limited to stores.'
    return storeReferences === null ? [] : [{ field: 'store_references', issue: 'conflict', message }]
  }
  if (!storeReferences || storeReferences.length === 0) {
    const message = 'Name the stores of the clerk.'
    return [{ field: 'store_references', issue: 'required', message }]
  }
  const stores = deps.accounts.find(accountId)?.account.storeByReference ?? new Map<string, unknown>()
  return storeReferences.flatMap((reference, index) =>
    stores.has(reference)
      ? []
      : [
          {
            field: `store_references[${index}]`,
            issue: 'unknown_store' as const,
            message: `"${reference}" is not a store of this account.${didYouMean(reference, stores.keys())}`,
          },
        ],
  )
}

function refuseMistakes(issues: readonly Issue[]): void {
  const [first] = issues
  if (first) throw new Refusal('invalid_request', first.message, { issues })
}

function notInvited({ email, status }: User): Refusal {
  return new Refusal('user_active', `${email} is ${status}, and needs no invitation.`)
}

function accessOf({ role, storeReferences, status }: User): object {
  return { role, store_references: storeReferences, status }
}
