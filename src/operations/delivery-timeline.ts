import type { DeliveryEvent } from '../domain/delivery/delivery.ts'
import { asTimeline } from '../domain/delivery/timeline.ts'
import { listTimeline } from '../store/events.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { type DeliveryName, getDeliveryRow } from './get-delivery.ts'

/** Everything that happened to a delivery, ours and the carrier's, oldest first. */
export async function deliveryTimeline(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<DeliveryEvent[]> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  return asTimeline(await listTimeline(deps.db, row.account_id, row.delivery_id))
}
