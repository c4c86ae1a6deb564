import type { Account, Store } from '../account/account.ts'
import type { Issue } from '../errors.ts'
import { rawStoreNamed, type StoreNamed, storeIssues } from '../quoting/resolve/resolve-store.ts'
import { record, text } from '../untyped-json.ts'

type Sight = (store: Store) => boolean

/** What only the account can tell of the store and the group that a manifest is asked for; null: none is named. */
export function manifestIssues(
  account: Account,
  asked: StoreNamed & { group: string | null },
  sight: Sight,
): Issue[] {
  const isNamed = asked.storeId !== null || asked.storeReference !== null
  const stores = isNamed ? storeIssues(account, asked, sight) : [NO_STORE]
  return [...stores, ...groupIssues(account, asked.group)]
}

/** The same of a body that its schema has refused: a store that is no text is named, and the schema's to tell. */
export function rawManifestIssues(account: Account, body: unknown, sight: Sight): Issue[] {
  const raw = record(body)
  const isNamed = raw.store_id !== undefined || raw.store_reference !== undefined
  const stores = isNamed ? storeIssues(account, rawStoreNamed(raw), sight) : [NO_STORE]
  return [...stores, ...groupIssues(account, text(raw.manifest_group))]
}

/** Also a group of a type that is switched off: what was booked by it before goes on a manifest still. */
function groupIssues({ carriers }: Account, group: string | null): Issue[] {
  if (group === null) return []
  const services = carriers.flatMap((carrier) => carrier.services)
  const known = [...new Set(services.flatMap(({ manifestGroup }) => manifestGroup ?? []))]
  if (known.includes(group)) return []
  const message = `There is no manifest group "${group}". Known are ${known.join(', ')}.`
  return [{ field: 'manifest_group', issue: 'invalid_value', message }]
}

const NO_STORE: Issue = {
  field: 'store_id',
  issue: 'required',
  message: 'Name the store: give store_id or store_reference.',
}
