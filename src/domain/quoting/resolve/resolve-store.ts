import type { Account, Store } from '../../account/account.ts'
import type { Issue } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import { text } from '../../untyped-json.ts'
import type { DeliveryMode } from '../../values.ts'

export type StoreNamed = { storeId: string | null; storeReference: string | null }

/** The store that a body names, before the body has passed its schema. */
export function findStoreInUntypedBody({
  store_id: id,
  store_reference: reference,
}: Record<string, unknown>): StoreNamed {
  return { storeId: text(id), storeReference: text(reference) }
}

/** The store that a request names, `store_id` before `store_reference`; null when it names no existing store. */
export function findNamedStore(account: Account, { storeId, storeReference }: StoreNamed): Store | null {
  if (storeId !== null) return account.storeById.get(storeId) ?? null
  if (storeReference !== null) return account.storeByReference.get(storeReference) ?? null
  return null
}

/**
 * Empty when the store is known, and when no store is named: cross-field rules report that. Messages name
 * only stores that the caller may see.
 */
export function storeIssues(account: Account, named: StoreNamed, sight: (store: Store) => boolean): Issue[] {
  const { storeId, storeReference } = named
  if (findNamedStore(account, named) || (storeId === null && storeReference === null)) return []
  if (storeId !== null) {
    const instead =
      storeReference === null
        ? ''
        : ' store_id takes precedence over store_reference. Leave store_id out to use the reference.'
    const message = `There is no store with the id "${storeId}".${instead}`
    return [{ field: 'store_id', issue: 'unknown_store', message }]
  }
  const references = account.stores
    .slice(0, MAX_COMPARED)
    .flatMap((store) => (sight(store) ? store.reference : []))
  const known = references.length <= MAX_NAMED ? ` Known names: ${references.join(', ')}.` : ''
  const message = `There is no store "${storeReference}".${didYouMean(storeReference!, references)}${known}`
  return [{ field: 'store_reference', issue: 'unknown_store', message }]
}

/** The default when a request names no mode. */
export const USUAL_MODE: DeliveryMode = 'store_to_door'

/** Whether account and store offer this delivery mode. */
export function modeIssues(account: Account, store: Store | null, mode: DeliveryMode): Issue[] {
  const lacking = !account.modes.has(mode)
    ? 'This account'
    : store && !store.modes.has(mode)
      ? `Store ${store.reference}`
      : null
  if (lacking === null) return []
  const message = `${lacking} does not have the mode ${mode} enabled.`
  return [{ field: 'delivery_mode', issue: 'not_enabled', message }]
}

/** A chain may have a million stores; a hint is not worth that many comparisons. */
const MAX_COMPARED = 1_000
const MAX_NAMED = 12
