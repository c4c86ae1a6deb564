import { type Issue, Refusal } from '../../domain/errors.ts'
import { ACCOUNT_ROLES, INSTALLATION, type Role, type User } from '../../domain/people/user.ts'
import { unknownStores } from '../../domain/quoting/resolve/unknown-stores.ts'
import { record } from '../../domain/untyped-json.ts'
import type { Deps } from '../deps.ts'

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

/** The issues of giving a user of the account this access. */
export function listAccessIssues(
  deps: Pick<Deps, 'accounts'>,
  accountId: string,
  { role, storeReferences }: Access,
): Issue[] {
  if ((role === 'operator') !== (accountId === INSTALLATION)) {
    const message =
      'Operators belong to the installation, and all other users belong to an account. Choose another role.'
    return [{ field: 'role', issue: 'conflict', message }]
  }
  if (role !== 'store_clerk') {
    const message = 'Only clerks can be limited to stores. Remove the stores, or make the user a clerk.'
    return storeReferences === null ? [] : [{ field: 'store_references', issue: 'conflict', message }]
  }
  if (!storeReferences || storeReferences.length === 0) {
    return [NO_STORES]
  }
  return listUnknownStores(deps, accountId, storeReferences)
}

/**
 * The same for a body that its schema has rejected, as far as it can be read. A new user has no stores yet; those of an
 * existing user are not known here.
 */
export function rawAccessIssues(
  deps: Pick<Deps, 'accounts'>,
  accountId: string,
  body: unknown,
  { isNew }: { isNew: boolean },
): Issue[] {
  const { role: asked, store_references: stores } = record(body)
  const role = ACCOUNT_ROLES.find((one) => one === asked)
  if (!Array.isArray(stores)) {
    return isNew && role === 'store_clerk' && stores === undefined ? [NO_STORES] : []
  }
  if (role && role !== 'store_clerk')
    return listAccessIssues(deps, accountId, { role, storeReferences: stores })
  return listUnknownStores(deps, accountId, stores)
}

/** The issues of the stores named in a body of any shape. */
export function listUnknownStores(
  { accounts }: Pick<Deps, 'accounts'>,
  accountId: string,
  names: readonly unknown[],
): Issue[] {
  const entry = accounts.find(accountId)
  if (!entry) return []
  return unknownStores(entry.account, { by: 'store_references', names }, () => true)
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
