import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { answerOffer } from '../../store/own-couriers/courier-offers.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { transitionEvents } from '../events/status-events.ts'
import { driverName } from './answer-job.ts'

/** An expired offer returns its delivery to the store, on hold with the reason. */
export async function expireOffer(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<void> {
  const nowMs = entry.nowMs()
  const minutes = entry.account.ownNetwork.offerMinutes
  const reason = `${driverName(row)} did not answer within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  await withTransaction(deps.db, async (db) => {
    const held = await changeDelivery(
      db,
      {
        accountId: row.account_id,
        deliveryId: row.delivery_id,
        nowMs,
        guard: { statuses: ['requested'], fence: row.fence, contentVersion: row.content_version },
      },
      { status: 'on_hold', status_reason: reason, due_at: null },
      transitionEvents(deps, ['requested', 'on_hold'], { atMs: nowMs, source: 'worker', detail: reason }),
    )
    if (held) await answerOffer(db, row, { outcome: 'expired', reason, live: false, atMs: nowMs })
  })
}
