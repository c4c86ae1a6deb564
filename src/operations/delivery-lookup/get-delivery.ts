import type { Delivery } from '../../domain/delivery/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { findNamedStore, storeIssues } from '../../domain/quoting/resolve/resolve-store.ts'
import { refuse } from '../../domain/refuse.ts'
import { cleanText } from '../../domain/text/text-class.ts'
import { findStoreEver } from '../../store/accounts/stores.ts'
import { listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, toResolveContext, visibleStoreIds } from '../directory/caller.ts'

/**
 * How a caller names a delivery: our id or the merchant's reference, plus the store if two stores share the reference.
 */
export type DeliveryName = { idOrReference: string; storeReference: string | null }

/**
 * The current delivery. Refuses `not_found`, `ambiguous_reference` if two stores use the reference, `delivery_erased`,
 * and `invalid_request` for a store that the account never had.
 */
export async function getDelivery(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<Delivery> {
  return toDelivery(await getDeliveryRow(deps, entry, caller, name))
}

/** The same as a row, for operations that go on to change the delivery. */
export async function getDeliveryRow(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  { idOrReference, storeReference }: DeliveryName,
): Promise<DeliveryRow> {
  const { account } = entry
  const storeIds = await storesMeant(deps, entry, caller, storeReference)
  const rows = idOrReference.startsWith('dlv_')
    ? await findById(deps, account.id, idOrReference, storeIds)
    : await listDeliveriesByReference(deps.db, account.id, cleanText(idOrReference, 'reference'), storeIds)

  const [row, rival] = rows
  if (!row) throw new Refusal('not_found', `There is no delivery ${idOrReference}.`)
  if (rival) {
    const stores = rows.map(({ store_id }) => account.storeById.get(store_id)?.reference ?? store_id)
    throw new Refusal(
      'ambiguous_reference',
      `${rows.length} stores have a delivery ${idOrReference}: add ?store_reference= with one of ${stores.join(', ')}.`,
      { details: { store_references: stores } },
    )
  }
  if (row.erased_at !== null) throw erased(row)
  return row
}

/** The named store if the caller may see it, or all stores that the caller may see; null for every store. */
async function storesMeant(
  { db }: Deps,
  entry: AccountEntry,
  caller: Caller,
  storeReference: string | null,
): Promise<string[] | null> {
  const { account } = entry
  const visible = visibleStoreIds(account, caller)
  if (storeReference === null) return visible
  const named = { storeId: null, storeReference }
  // A store that has left the account still has its deliveries.
  const storeId =
    findNamedStore(account, named)?.id ?? (await findStoreEver(db, account.id, named))?.storeId ?? null
  if (storeId === null) return refuse(storeIssues(account, named, toResolveContext(entry, caller).sight))
  return visible === null || visible.includes(storeId) ? [storeId] : []
}

async function findById(
  deps: Deps,
  accountId: string,
  deliveryId: string,
  storeIds: readonly string[] | null,
): Promise<DeliveryRow[]> {
  const row = await deps.findDelivery({ accountId, deliveryId })
  return row && (storeIds === null || storeIds.includes(row.store_id)) ? [row] : []
}

/** The row of an erased delivery remains for figures and invoices; the refusal names enough to find those. */
function erased({ delivery_id, reference, carrier_provider, consignment_number }: DeliveryRow): Refusal {
  return new Refusal('delivery_erased', `The customer’s data of delivery ${reference} has been erased.`, {
    details: { delivery_id, carrier_provider, consignment_number },
  })
}
