import type { Account } from '../../domain/account/account.ts'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { ACCOUNT_ROLES, type Role, type User } from '../../domain/people/user.ts'
import { unknownStores } from '../../domain/quoting/resolve/unknown-stores.ts'
import { record } from '../../domain/untyped-json.ts'

export type Access = { role: Role; storeReferences: readonly string[] | null }

/** A clerk's stores are the requested ones, or the existing ones; all other roles have all stores, which is null. */
export function storesFor(
  role: Role,
  asked: readonly string[] | null | undefined,
  now: readonly string[] | null,
): readonly string[] | null {
  if (role !== 'store_clerk') return asked ?? null
  return asked === undefined ? (now ?? []) : [...new Set(asked)]
}

/** The issues of giving a user this access in the account; null: in the installation. */
export function listAccessIssues(account: Account | null, { role, storeReferences }: Access): Issue[] {
  if ((role === 'operator') !== (account === null)) {
    const message =
      'Operators belong to the installation, and all other users belong to an account. Choose another role.'
    return [{ field: 'role', issue: 'conflict', message }]
  }
  if (role !== 'store_clerk') {
    const message =
      'Only a clerk can be limited to certain stores. Remove the stores, or make the user a clerk.'
    return storeReferences === null ? [] : [{ field: 'store_references', issue: 'conflict', message }]
  }
  if (!storeReferences || storeReferences.length === 0) {
    return [NO_STORES]
  }
  return listUnknownStores(account, storeReferences)
}

/**
 * The same for a body that its schema has rejected, as far as it can be read. A new user has no stores yet; those of an
 * existing user are not known here.
 */
export function rawAccessIssues(account: Account, body: unknown, { isNew }: { isNew: boolean }): Issue[] {
  const { role: asked, store_references: stores } = record(body)
  const role = ACCOUNT_ROLES.find((one) => one === asked)
  if (!Array.isArray(stores)) {
    return isNew && role === 'store_clerk' && stores === undefined ? [NO_STORES] : []
  }
  if (role && role !== 'store_clerk') return listAccessIssues(account, { role, storeReferences: stores })
  return listUnknownStores(account, stores)
}

/** The issues of the stores named in a body of any shape. */
export function listUnknownStores(account: Account | null, names: readonly unknown[]): Issue[] {
  return account ? unknownStores(account, { by: 'store_references', names }, () => true) : []
}

const NO_STORES: Issue = {
  field: 'store_references',
  issue: 'required',
  message: 'Choose the stores in which the clerk works.',
}

export function refuseMistakes(issues: readonly Issue[]): void {
  const [first] = issues
  if (first) throw new Refusal('invalid_request', first.message, { issues })
}

/** The form of the audit log. */
export function toAccess({ role, storeReferences, status }: User): object {
  return { role, store_references: storeReferences, status }
}
