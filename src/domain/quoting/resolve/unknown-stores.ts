import type { Account, Store } from '../../account/account.ts'
import { type Issue, MAX_ISSUES } from '../../errors.ts'
import { storeIssues } from './resolve-store.ts'

/** As sent; the schema reports names that are not text. */
export type ListedStores = { by: 'store_ids' | 'store_references'; names: readonly unknown[] }

/** Searching for a similar name takes 6 ms in a large chain. */
const MAX_HINTS = 5

/** The listed stores that do not exist, each with its index in the list. */
export function unknownStores(
  account: Account,
  { by, names }: ListedStores,
  sight: (store: Store) => boolean,
): Issue[] {
  const stores = by === 'store_ids' ? account.storeById : account.storeByReference
  const issues: Issue[] = []
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string' || stores.has(name)) continue
    const field = `${by}[${index}]`
    if (issues.length >= MAX_HINTS) {
      issues.push({ field, issue: 'unknown_store', message: `There is no store "${name}".` })
    } else {
      const named = { storeId: null, storeReference: null }
      const message = storeIssues(
        account,
        { ...named, [by === 'store_ids' ? 'storeId' : 'storeReference']: name },
        sight,
      )
      issues.push(...message.map((issue) => ({ ...issue, field })))
    }
    if (issues.length >= MAX_ISSUES) break
  }
  return issues
}
