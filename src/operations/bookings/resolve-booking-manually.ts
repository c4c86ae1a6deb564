import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Booking, Carrier } from '../../carriers/port/carrier.ts'
import { toActionFacts, whyNot } from '../../domain/delivery/actions/why-not.ts'
import type { Article, Delivery } from '../../domain/delivery/delivery.ts'
import { firstLookMs } from '../../domain/delivery/reconciliation-schedule.ts'
import type { RequestParcel } from '../../domain/delivery/request.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { type BookingIntent, hasRequest, listIntents } from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryPatch, IntentEnd } from '../../store/deliveries/delivery-change.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import { storeOfDelivery } from '../delivery-lookup/store-of-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { transitionEvents } from '../events/status-events.ts'
import { bookedFields, type ConfirmedBooking } from './confirm-booking.ts'
import { lookUpBooking } from './look-up-booking.ts'

/** What the carrier's staff said about a booking whose outcome is unknown. */
export type Finding = { booked: true; consignmentNumber: string } | { booked: false }

/**
 * Resolves, by a person's word, the unknown booking of a delivery on hold, when no lookup can. Booked: the delivery
 * gets that consignment number, or the carrier's own booking if the carrier can be asked now, and is then cancelled at
 * the carrier if a cancellation is pending. Not booked: it is
 * requested again at once, or cancelled if a cancellation is pending. Refuses `not_bookable` if no booking of it has an
 * unknown outcome. `alongside` runs in the same transaction, and its result is returned.
 */
export async function resolveBookingManually<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  finding: Finding,
  alongside: (db: Db, settled: Delivery) => Promise<T>,
): Promise<T> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  const settled = await settle(deps, entry, row, finding, alongside)
  if (settled) return settled.answer
  // Cancelled or resolved meanwhile: decide once more from the current state.
  const fresh = { idOrReference: row.delivery_id, storeReference: null }
  const now = await getDeliveryRow(deps, entry, caller, fresh)
  const settledNow = await settle(deps, entry, now, finding, alongside)
  if (settledNow) return settledNow.answer
  throw new Refusal('not_bookable', `Delivery ${row.reference} has just changed: read it again.`)
}

/** Null: the delivery has changed since it was read, and no write happened. */
async function settle<T>(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  finding: Finding,
  alongside: (db: Db, settled: Delivery) => Promise<T>,
): Promise<{ answer: T } | null> {
  const intents = await listIntents(deps.db, row.account_id, row.delivery_id)
  const intent = intents.find(({ attempt }) => attempt === row.pending_attempt)
  if (whyNot('settle', toActionFacts(toDelivery(row), entry.nowMs())) !== null || !intent) {
    throw new Refusal(
      'not_bookable',
      `Delivery ${row.reference} has no booking with an unknown outcome: it is ${row.status}.`,
    )
  }
  if (!hasRequest(intent)) return null
  if (!finding.booked && intent.lostPeriod && !intent.lostPeriod.isLookedUp) {
    throw new Refusal(
      'booking_in_progress',
      `Drover is still asking the carriers about delivery ${row.reference}, because its records were restored from a backup. Wait a minute and read the delivery again. If it still needs the carrier’s answer, record it then.`,
    )
  }
  const [patch, end] = finding.booked
    ? await toBookedPatch(deps, entry, row, intent, finding.consignmentNumber)
    : asFree(row, intent, entry.nowMs())
  // Before the transaction: this may read an older account document, and a transaction must not wait for a second
  // connection.
  const { account_version = row.account_version } = patch
  await storeOfDelivery(deps, entry, toDelivery({ ...row, account_version }))
  const settled = await withTransaction(deps.db, async (db) => {
    const after = await write(deps, db, entry, row, patch, end)
    return after && { answer: await alongside(db, toDelivery(after)) }
  })
  if (settled) deps.wake()
  return settled
}

async function toBookedPatch(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  intent: BookingIntent,
  consignmentNumber: string,
): Promise<[DeliveryPatch, IntentEnd]> {
  const carrier = await findCarrier(deps, row.account_id, intent.provider)
  // People know the number on the label. Some carriers answer only to another id of the booking.
  const found = carrier && (await findAtCarrier(carrier, intent, entry.nowMs()))
  const booking: ConfirmedBooking = found ?? {
    consignmentNumber,
    articles: toArticles(consignmentNumber, row.content.parcels),
  }
  const nowMs = entry.nowMs()
  const patch: DeliveryPatch = { ...bookedFields(intent, booking), booked_at: nowMs, due_at: nowMs }
  const ref = booking.carrierRef ?? booking.consignmentNumber
  if (carrier?.manifest?.acceptsRef?.(ref) === false) patch.manifest_status = 'not_required'
  const message = 'Confirmed by a person.'
  return [patch, { attempt: intent.attempt, state: 'accepted', message }]
}

/** People settle what the carrier does not answer, and the caller waits. */
const MAX_LOOK_UP_MS = 3_000

/** The booking as the carrier has it; null if the carrier does not find it, does not answer, or has no lookup. */
async function findAtCarrier(
  { recovery, find }: Carrier,
  intent: BookingIntent,
  nowMs: number,
): Promise<Booking | null> {
  if (!find) return null
  const lookUp = lookUpBooking({ recovery, find }, intent, nowMs)
  const found = await Promise.race([lookUp, sleep(MAX_LOOK_UP_MS, null, { ref: false })])
  return found?.kind === 'yes' ? found.value : null
}

function asFree(row: DeliveryRow, intent: BookingIntent, nowMs: number): [DeliveryPatch, IntentEnd] {
  // After a restore, a delivery is looked up before its time.
  const dueAtMs = Math.max(nowMs, intent.lostPeriod?.dueAtMs ?? nowMs)
  const patch: DeliveryPatch = {
    pending_attempt: null,
    ...(row.cancel_requested_at === null
      ? { status: 'requested', status_reason: null, due_at: dueAtMs, requested_at: nowMs }
      : { ...cancelledAsRequested(row.cancel_reason), due_at: null }),
  }
  const message = 'The carrier’s staff said that they do not have the booking.'
  return [patch, { attempt: intent.attempt, state: 'void', message, lookAgainAtMs: firstLookMs(nowMs) }]
}

/** No carrier has the delivery, and its cancellation was requested. */
export function cancelledAsRequested(reason: string | null): DeliveryPatch {
  return { status: 'cancelled', status_reason: reason, cancel_requested_at: null }
}

/** People do not know the carrier's article ids, so we number ours from the consignment number. */
function toArticles(consignmentNumber: string, parcels: readonly RequestParcel[]): Article[] {
  const base = consignmentNumber
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 26)
  let unit = 0
  return parcels.map(({ reference, quantity }) => ({
    parcelReference: reference,
    articleIds: Array.from({ length: quantity }, () => {
      unit += 1
      return `${base}${String(unit).padStart(3, '0')}`
    }),
  }))
}

async function write(
  deps: Deps,
  db: PoolClient,
  entry: AccountEntry,
  row: DeliveryRow,
  patch: DeliveryPatch,
  intent: IntentEnd,
): Promise<DeliveryRow | null> {
  const nowMs = entry.nowMs()
  const eventFields = { atMs: nowMs, source: 'api', detail: intent.message } as const
  const consignmentNumber = patch.consignment_number ?? null
  const events =
    patch.status === 'cancelled'
      ? transitionEvents(deps, ['on_hold', 'cancelled'], eventFields)
      : [
          ...transitionEvents(deps, ['on_hold', 'requested'], eventFields),
          ...(patch.status === 'booked'
            ? transitionEvents(deps, ['requested', 'booked'], { ...eventFields, consignmentNumber })
            : []),
        ]
  // A concurrent lookup does not conflict with the person's word, but a cancellation request changes what the word
  // leads to, so it is guarded.
  const { account_id: accountId, delivery_id: deliveryId, cancel_requested_at: cancelRequestedAtMs } = row
  const guard = { statuses: ['on_hold'] as const, openAttempt: intent.attempt, cancelRequestedAtMs }
  const target = { accountId, deliveryId, nowMs, guard }
  return changeDelivery(db, target, patch, events, intent)
}
