import {
  asTimeline,
  type CarrierUpdate,
  type TimelineEvent,
  withArrivals,
} from '../../domain/delivery/timeline.ts'
import { listCarrierUpdates } from '../../store/carriers/carrier-events.ts'
import { listTimeline } from '../../store/deliveries/events.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'

/** Every event of a delivery, ours and the carrier's, oldest first. */
export async function deliveryTimeline(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<TimelineEvent[]> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  const [events, updates] = await Promise.all([
    listTimeline(deps.db, row.account_id, row.delivery_id),
    listCarrierUpdates(deps.db, row.account_id, row.delivery_id),
  ])
  return asTimeline(withArrivals(events, updates))
}

/** The tracking updates of its carriers, without duplicates, in the order of receipt. */
export async function deliveryCarrierUpdates(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<CarrierUpdate[]> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  return listCarrierUpdates(deps.db, row.account_id, row.delivery_id)
}
