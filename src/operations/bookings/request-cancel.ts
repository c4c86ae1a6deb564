import { toActionFacts, whyNot } from '../../domain/delivery/actions/why-not.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { reasonAndRemedy } from '../../domain/delivery/status-remedy.ts'
import { Refusal } from '../../domain/errors.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { listIntents } from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { auditFields, noAudit, type WriteAudit } from '../audit/audit.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { transitionEvents } from '../events/status-events.ts'
import { cancelOwnJob } from '../own-couriers/cancel-own-job.ts'
import { cancelAtCarrier } from './cancel-at-carrier.ts'
import { hasPendingCancellation, recordCancellationRequest } from './pending-cancellation.ts'
import { bookingGuard } from './replan-delivery.ts'

/**
 * `carrierReleaseConfirmed`: a person has the carrier's word that it does not carry the delivery, so a missing answer counts as
 * confirmed.
 */
export type CancelRequest = { reason: string | null; carrierReleaseConfirmed: boolean }

/** Statuses in which no carrier has the delivery, so we can cancel without one. */
export const OURS: readonly Status[] = ['created', 'requested', 'on_hold']

/**
 * Cancels a delivery: at once while no carrier has it, otherwise after the carrier confirms. Returns only if it is
 * cancelled. Refuses `booking_in_progress`, `cancel_refused` and `cancellation_pending` (the carrier has not answered
 * yet; we keep asking), each with what to do. Cancelling a cancelled delivery changes nothing.
 */
export async function requestCancel(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  { reason, carrierReleaseConfirmed }: CancelRequest,
  record: WriteAudit = noAudit,
): Promise<Delivery> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  if (row.status === 'cancelled') return toDelivery(row)
  refuseUnlessCancellable(row, entry.nowMs())
  if (row.content.staffCourier && row.pending_attempt === null) {
    return toDelivery(await cancelOwnJob(deps, entry, row, reason, record))
  }
  return toDelivery(
    OURS.includes(row.status)
      ? await cancelOurs(deps, entry, row, reason, record)
      : await cancelTheirs(deps, entry, row, { reason, carrierReleaseConfirmed }, record),
  )
}

/** Refuses `not_cancellable`. */
export function refuseUnlessCancellable(row: DeliveryRow, nowMs: number): void {
  if (whyNot('cancel', toActionFacts(toDelivery(row), nowMs)) !== 'wrong_status') return
  throw new Refusal(
    'not_cancellable',
    `Delivery ${row.reference} is ${row.status}: it can no longer be cancelled. Create a return delivery, or record its outcome with PATCH …/record-outcome if nobody else reports it.`,
  )
}

async function cancelOurs(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  reason: string | null,
  record: WriteAudit,
): Promise<DeliveryRow> {
  const nowMs = entry.nowMs()
  const { account_id: accountId, delivery_id: deliveryId, status } = row
  const guard = { statuses: [status], noOpenAttempt: true }
  const cancelled = await withTransaction(deps.db, async (db) => {
    const after = await changeDelivery(
      db,
      { accountId, deliveryId, nowMs, guard },
      { status: 'cancelled', status_reason: reason, cancel_reason: reason, due_at: null },
      transitionEvents(deps, [status, 'cancelled'], { atMs: nowMs, source: 'api', detail: reason }),
    )
    if (after) await record(db, auditFields(after))
    return after
  })
  if (cancelled) return cancelled

  const now = await findDelivery(deps.db, row.account_id, row.delivery_id)
  if (now?.status === 'cancelled') return now
  // A worker has just put it on hold, or a person has requested it again: no carrier has it either way.
  const isOursStill =
    now && now.status !== status && OURS.includes(now.status) && now.pending_attempt === null
  if (isOursStill) return cancelOurs(deps, entry, now, reason, record)
  if (now && (await isPromised(deps, entry, now, reason, record))) {
    const held = (await findDelivery(deps.db, row.account_id, row.delivery_id)) ?? now
    throw new Refusal(
      'cancellation_pending',
      `A carrier may have a booking for delivery ${row.reference}. Once we know, we’ll cancel both. ${reasonAndRemedy(toDelivery(held))}`.trim(),
    )
  }
  throw new Refusal(
    'booking_in_progress',
    `Delivery ${row.reference} is being booked right now. Try again once the booking attempt has ended.`,
  )
}

/**
 * Stores a cancellation request for an attempt with an unknown outcome and rechecks it at once. The process that learns
 * the outcome ends both. False: the outcome has just become known, and no request was stored.
 */
async function isPromised(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  reason: string | null,
  record: WriteAudit,
): Promise<boolean> {
  const { status, pending_attempt: openAttempt } = row
  if (openAttempt !== null && status === 'requested' && row.due_at === null) {
    if (await holdDeadLettered(deps, entry, row, { reason, openAttempt }, record)) return true
    const now = await findDelivery(deps.db, row.account_id, row.delivery_id)
    return now?.status === 'on_hold' && isPromised(deps, entry, now, reason, record)
  }
  if (status !== 'on_hold' || openAttempt === null) return false
  if (hasPendingCancellation(row, { purpose: 'cancel', reason })) return true
  const guard = { statuses: ['on_hold'] as const, openAttempt }
  const request = { purpose: 'cancel', reason, guard, dueAtMs: entry.nowMs() } as const
  const recorded = await recordCancellationRequest(deps, entry, row, request, record)
  if (recorded) deps.wake()
  return recorded !== null
}

/**
 * Dead letter: no worker books the delivery any more, so nobody would learn the outcome of its open attempt. It goes on
 * hold with the cancellation request, where the carrier is asked, or a person says what the carrier said. False: it was
 * put back into the queue meanwhile.
 */
async function holdDeadLettered(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { reason, openAttempt: attempt }: { reason: string | null; openAttempt: number },
  record: WriteAudit,
): Promise<boolean> {
  const { account_id: accountId, delivery_id: deliveryId, fence } = row
  const nowMs = entry.nowMs()
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const intent = intents.find((one) => one.attempt === attempt)
  if (!intent) return false
  const recovery = (await findCarrier(deps, accountId, intent.provider))?.recovery
  const settleMs = recovery?.kind === 'look_up' && intent.state === 'sent' ? recovery.settleMs : 0
  const message = intent.message ?? 'The process that sent the request stopped before the carrier answered.'
  const { carrierName } = intent
  const detail = `We don’t know if ${carrierName} took the booking, and Drover has stopped trying.`
  const held = await withTransaction(deps.db, async (db) => {
    const after = await changeDelivery(
      db,
      { accountId, deliveryId, nowMs, guard: { statuses: ['requested'], openAttempt: attempt, fence } },
      {
        ...{ status: 'on_hold', status_reason: detail, due_at: nowMs },
        ...{ cancel_requested_at: nowMs, cancel_reason: reason, replan_requested: false },
      },
      transitionEvents(deps, ['requested', 'on_hold'], { atMs: nowMs, source: 'api', detail }),
      { attempt, state: 'unknown', message, settleMs },
    )
    if (after) await record(db, { ...auditFields(after), after: { status: after.status, purpose: 'cancel' } })
    return after
  })
  if (held) deps.wake()
  return held !== null
}

async function cancelTheirs(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { reason, carrierReleaseConfirmed }: CancelRequest,
  record: WriteAudit,
): Promise<DeliveryRow> {
  const dueAtMs = entry.nowMs() + CONFIRM_AGAIN_MS
  const request = { purpose: 'cancel', reason, guard: bookingGuard(row), dueAtMs } as const
  const asked = await recordCancellationRequest(deps, entry, row, request, record)
  if (!asked) {
    throw new Refusal(
      'booking_in_progress',
      `Delivery ${row.reference} has just changed. Read it and try again.`,
    )
  }
  const answer = await cancelAtCarrier(deps, entry, asked, { source: 'api', carrierReleaseConfirmed })
  if (answer.kind === 'cancelled') return answer.row
  if (answer.kind === 'refused') {
    throw new Refusal(
      'cancel_refused',
      `${carrierName(row)} did not cancel delivery ${row.reference}: ${answer.message}`,
    )
  }
  throw new Refusal(
    'cancellation_pending',
    `${carrierName(row)} has not confirmed the cancellation yet. Drover keeps asking until it answers. Read delivery ${row.reference} for the outcome.`,
  )
}

/** When the worker asks the carrier again if the answer to this request gets lost. */
export const CONFIRM_AGAIN_MS = 15_000

export function carrierName(row: DeliveryRow): string {
  return row.chosen?.carrierName ?? 'The carrier'
}
