import type { Delivery } from '../../domain/delivery/delivery.ts'
import { type ManualOutcome, pathToOutcome } from '../../domain/delivery/outcome-by-hand.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { answerOffer } from '../../store/own-couriers/courier-offers.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import { storeOfDelivery } from '../delivery-lookup/store-of-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { transitionEvents } from '../events/status-events.ts'
import { NOT_CONSIGNED } from '../own-couriers/answer-job.ts'

const MAX_ATTEMPTS = 5

/** The status in which each outcome leaves the delivery. */
const ENDS: Readonly<Record<ManualOutcome, Status>> = {
  delivered: 'delivered',
  returned: 'returned',
  taken_over: 'on_hold',
}

/**
 * Records by a person's word what became of a delivery that has left the store. The courier loses the job. The same
 * outcome again changes nothing: the answer is null. Refuses `outcome_not_possible` with what can be done instead.
 * `alongside` runs in the same transaction, and its result is returned.
 */
export async function recordOutcome<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  { outcome, reason }: { outcome: ManualOutcome; reason: string },
  alongside: (db: Db, recorded: Delivery) => Promise<T>,
): Promise<{ answer: T } | { unchanged: Delivery }> {
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const row = await getDeliveryRow(deps, entry, caller, name)
    if (row.status === ENDS[outcome] && (outcome !== 'taken_over' || row.content.staffCourier))
      return { unchanged: toDelivery(row) }
    const nowMs = entry.nowMs()
    const isOverdue = row.window_to === null || row.window_to < nowMs
    const found = pathToOutcome(
      row.status,
      outcome,
      row.content.staffCourier ? { by: 'own' } : { by: 'carrier', isOverdue },
    )
    if ('why' in found) throw new Refusal('outcome_not_possible', `${row.reference}: ${found.why}`)
    // Before the transaction: it may read an older account document, and must not wait for a second connection.
    await storeOfDelivery(deps, entry, toDelivery(row))
    const detail = formatDetail(row, outcome, reason)
    const done = await withTransaction(deps.db, async (db) => {
      const changed = await changeDelivery(
        db,
        {
          accountId: row.account_id,
          deliveryId: row.delivery_id,
          nowMs,
          guard: { statuses: [row.status], noOpenAttempt: true, contentVersion: row.content_version },
        },
        {
          ...(outcome === 'taken_over' ? { ...NOT_CONSIGNED, due_at: null } : {}),
          status: ENDS[outcome],
          sub_status: null,
          // The carrier’s last update says nothing about when it arrived.
          carrier_event_at: null,
          status_reason: outcome === 'taken_over' ? detail : null,
        },
        transitionEvents(deps, found.path, {
          atMs: nowMs,
          source: 'api',
          consignmentNumber: row.consignment_number,
          atEnd: detail,
        }),
      )
      if (!changed) return null
      const ended = outcome === 'taken_over' ? ('withdrawn' as const) : null
      await answerOffer(db, row, { outcome: ended, reason: detail, live: false, atMs: nowMs })
      return { answer: await alongside(db, toDelivery(changed)) }
    })
    if (done) {
      deps.wake()
      return done
    }
  }
  throw new Refusal(
    'version_conflict',
    'Somebody changed this delivery at the same time. Read it and try again.',
  )
}

function formatDetail({ content }: DeliveryRow, outcome: ManualOutcome, reason: string): string {
  const driver = content.staffCourier?.driverName
  const what = {
    delivered: 'Recorded as delivered by the store',
    returned: 'Recorded as returned by the store',
    taken_over: driver ? `Taken over from ${driver}` : 'Taken over by the store',
  }[outcome]
  return /[.!?]$/.test(reason) ? `${what}: ${reason}` : `${what}: ${reason}.`
}
