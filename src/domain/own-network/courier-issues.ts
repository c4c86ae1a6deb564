import type { Account, Store } from '../account/account.ts'
import type { Issue } from '../errors.ts'
import { courierPhoneIssues } from '../quoting/resolve/resolve-delivery.ts'
import { findStoreInUntypedBody, type StoreNamed, storeIssues } from '../quoting/resolve/resolve-store.ts'
import { record, text } from '../untyped-json.ts'

type Sight = (store: Store) => boolean

/** Mistakes in a courier for a store's list that need the account to detect. */
export function courierIssues(
  account: Account,
  courier: StoreNamed & { phone: string | null },
  sight: Sight,
): Issue[] {
  const { storeId, storeReference, phone } = courier
  const stores =
    storeId === null && storeReference === null ? [NO_STORE] : storeIssues(account, courier, sight)
  return [...stores, ...courierPhoneIssues(account, 'phone', phone)]
}

/**
 * The same for a body that its schema rejected. A store that is not text counts as named; the schema reports
 * it.
 */
export function rawCourierIssues(account: Account, body: unknown, sight: Sight): Issue[] {
  const raw = record(body)
  const isNamed = raw.store_id !== undefined || raw.store_reference !== undefined
  const stores = isNamed ? storeIssues(account, findStoreInUntypedBody(raw), sight) : [NO_STORE]
  return [...stores, ...courierPhoneIssues(account, 'phone', text(raw.phone))]
}

const NO_STORE: Issue = {
  field: 'store_reference',
  issue: 'required',
  message: 'store_id or store_reference is required.',
}
