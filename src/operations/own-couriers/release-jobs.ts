import type { PoolClient } from 'pg'
import { BEFORE_COLLECTION, offerEndsMs } from '../../domain/own-network/job.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { ChangeTarget } from '../../store/deliveries/delivery-change.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { answerOffer, handOffer, lockDriverJobs } from '../../store/own-couriers/courier-offers.ts'
import type { StaffCourierRow } from '../../store/own-couriers/staff-couriers.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { transitionEvents } from '../events/status-events.ts'
import { NOT_CONSIGNED } from './answer-job.ts'
import { withdrawJob } from './call-off-driver.ts'
import { offerJob } from './offer-job.ts'

type Courier = Pick<StaffCourierRow, 'storeId' | 'phone' | 'driverName'>

/**
 * Releases the open jobs of a courier who no longer drives for the store, in the transaction of that change. Jobs not
 * yet collected go back to the store, on hold with the reason, and the courier is notified of those they had accepted.
 * Collected jobs stay with the courier, as the parcels do, and are reported as exceptions: once reactivated, the
 * courier can finish them.
 */
export async function releaseJobs(
  deps: Deps,
  db: PoolClient,
  entry: AccountEntry,
  { storeId, phone, driverName }: Courier,
): Promise<void> {
  const atMs = entry.nowMs()
  const held = `${driverName} no longer drives for the store.`
  const carried = `${driverName} no longer drives for the store, and has the parcels.`
  for (const row of await lockDriverJobs(db, entry.account.id, storeId, phone)) {
    const { status, consignment_number: consignmentNumber } = row
    const eventFields = { atMs, source: 'api', consignmentNumber } as const
    if (status !== 'requested' && !BEFORE_COLLECTION.includes(status)) {
      const event = {
        ...eventFields,
        type: 'delivery.exception',
        from: null,
        to: null,
        subStatus: null,
      } as const
      await changeDelivery(db, toTarget(row, atMs), { status_reason: carried }, [
        { ...event, eventId: deps.newId('evt'), detail: carried },
      ])
      continue
    }
    const path =
      status === 'requested'
        ? (['requested', 'on_hold'] as const)
        : ([status, 'reassigned', 'requested', 'on_hold'] as const)
    const patch = { ...NOT_CONSIGNED, status: 'on_hold', status_reason: held, due_at: null } as const
    await changeDelivery(
      db,
      toTarget(row, atMs),
      patch,
      transitionEvents(deps, path, { ...eventFields, atEnd: held }),
    )
    await answerOffer(db, row, { outcome: 'withdrawn', reason: held, live: false, atMs })
    await withdrawJob(deps, db, entry, row)
  }
}

/** A courier whose phone number changes keeps their jobs; unanswered offers are sent again to the new number. */
export async function carryJobs(
  deps: Deps,
  db: PoolClient,
  entry: AccountEntry,
  { storeId, phone }: Courier,
  newPhone: string,
): Promise<void> {
  const nowMs = entry.nowMs()
  for (const row of await lockDriverJobs(db, entry.account.id, storeId, phone)) {
    const { staffCourier } = row.content
    if (!staffCourier) continue
    const content = { ...row.content, staffCourier: { ...staffCourier, phone: newPhone } }
    const unanswered = row.status === 'requested'
    const dueAt = unanswered ? { due_at: offerEndsMs(entry.account, nowMs) } : {}
    const carried = await changeDelivery(db, toTarget(row, nowMs), { content, ...dueAt })
    if (carried && unanswered) await offerJob(deps, db, entry, carried)
    else await handOffer(db, row, newPhone)
  }
}

/** The rows are locked, so they are unchanged since they were read. */
function toTarget(row: DeliveryRow, nowMs: number): ChangeTarget {
  const { account_id: accountId, delivery_id: deliveryId, status } = row
  return { accountId, deliveryId, nowMs, guard: { statuses: [status] } }
}
