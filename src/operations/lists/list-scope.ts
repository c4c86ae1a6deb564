import { type Issue, Refusal } from '../../domain/errors.ts'
import { storeIssues } from '../../domain/quoting/resolve/resolve-store.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, toResolveContext, visibleStoreIds } from '../directory/caller.ts'
import { cursorIssues } from './cursor.ts'

/** The store whose rows a list shows, and the position after which it begins. */
export type ListScope = { storeReference: string | null; after: string | null }

/** What is wrong with a list's store and cursor, whatever its other parameters. */
export function listIssues(
  entry: AccountEntry,
  caller: Caller,
  { storeReference, after }: ListScope,
  places: RegExp,
): Issue[] {
  return [...unknownStoreIssues(entry, caller, storeReference), ...cursorIssues(after, places)]
}

export function unknownStoreIssues(
  entry: AccountEntry,
  caller: Caller,
  storeReference: string | null,
): Issue[] {
  return storeIssues(entry.account, { storeId: null, storeReference }, toResolveContext(entry, caller).sight)
}

/** The requested store, or all stores that the caller sees; null for every store. Refuses `not_found`. */
export function storesListed({ account }: AccountEntry, caller: Caller, reference: string | null) {
  const visible = visibleStoreIds(account, caller)
  if (reference === null) return visible
  const store = account.storeByReference.get(reference)
  if (!store || (visible && !visible.includes(store.id)))
    throw new Refusal('not_found', `There is no store ${reference}.`)
  return [store.id]
}
