import type { Account, Store } from '../account/account.ts'
import type { Issue } from '../errors.ts'
import { findStoreInUntypedBody, type StoreNamed, storeIssues } from '../quoting/resolve/resolve-store.ts'
import { record, text } from '../untyped-json.ts'

type Sight = (store: Store) => boolean

/** Mistakes in a manifest's store and group that need the account to detect; null: not named. */
export function manifestIssues(
  account: Account,
  asked: StoreNamed & { group: string | null },
  sight: Sight,
): Issue[] {
  const isNamed = asked.storeId !== null || asked.storeReference !== null
  const stores = isNamed ? storeIssues(account, asked, sight) : [NO_STORE]
  return [...stores, ...groupIssues(account, asked.group)]
}

/**
 * The same for a body that its schema rejected. A store that is not text counts as named; the schema reports
 * it.
 */
export function rawManifestIssues(account: Account, body: unknown, sight: Sight): Issue[] {
  const raw = record(body)
  const isNamed = raw.store_id !== undefined || raw.store_reference !== undefined
  const stores = isNamed ? storeIssues(account, findStoreInUntypedBody(raw), sight) : [NO_STORE]
  return [...stores, ...groupIssues(account, text(raw.manifest_group))]
}

/** A group of a disabled delivery type is also valid: deliveries booked earlier still go on a manifest. */
function groupIssues({ carriers }: Account, group: string | null): Issue[] {
  if (group === null) return []
  const services = carriers.flatMap((carrier) => carrier.services)
  const known = [...new Set(services.flatMap(({ manifestGroup }) => manifestGroup ?? []))]
  if (known.includes(group)) return []
  const message = `There is no manifest group "${group}". Known names: ${known.join(', ')}.`
  return [{ field: 'manifest_group', issue: 'invalid_value', message }]
}

const NO_STORE: Issue = {
  field: 'store_id',
  issue: 'required',
  message: 'Name the store: give store_id or store_reference.',
}
