import type { Outcome } from '../../carriers/port/carrier.ts'
import { cancellationBackoffMs } from '../../domain/delivery/backoff.ts'
import { can } from '../../domain/delivery/status.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import type { ChangeTarget, DeliveryGuard } from '../../store/deliveries/delivery-change.ts'
import { type DeliveryRow, getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { transitionEvents } from '../events/status-events.ts'
import { bookingGuard, replanDelivery } from './replan-delivery.ts'

export type CancelAnswer =
  | { kind: 'cancelled'; row: DeliveryRow }
  /** The carrier released the delivery, and it is requested again. */
  | { kind: 'replanned'; row: DeliveryRow }
  | { kind: 'refused'; message: string }
  | { kind: 'unconfirmed' }

/**
 * Asks the carrier to cancel a delivery and stores the answer. Asking twice is safe: a carrier confirms a cancelled
 * consignment again. Without an answer the cancellation request stays pending and the worker retries, unless a person
 * says that the carrier has confirmed it (`carrierReleaseConfirmed`).
 */
export async function cancelAtCarrier(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { source, carrierReleaseConfirmed }: { source: 'api' | 'worker'; carrierReleaseConfirmed: boolean },
): Promise<CancelAnswer> {
  const carrier = await findCarrier(deps, row.account_id, row.carrier_provider ?? '')
  const ref = getCarrierRef(row)
  const answer = carrier?.cancel && ref !== null ? await carrier.cancel(ref) : null
  const outcome = withConfirmation(answer, carrierReleaseConfirmed)
  if (outcome.kind === 'yes' && row.replan_requested) {
    const planned = await replanDelivery(deps, entry, row, { guard: toRequestGuard(row) })
    if (planned) return { kind: 'replanned', row: planned }
    const now = await findDelivery(deps.db, row.account_id, row.delivery_id)
    // Somebody cancelled it while the carrier was being asked: no other carrier may get it.
    return now && isToBeCancelled(now, row)
      ? recordCancelled(deps, entry, now, source)
      : { kind: 'unconfirmed' }
  }
  if (outcome.kind === 'yes') return recordCancelled(deps, entry, row, source)
  if (outcome.kind === 'no' && outcome.retry !== 'later') {
    await dropCancellationRequest(deps, entry, row)
    return { kind: 'refused', message: outcome.message }
  }
  const nowMs = entry.nowMs()
  const dueAtMs = nowMs + cancellationBackoffMs(nowMs - (row.cancel_requested_at ?? nowMs), Math.random())
  await changeDelivery(deps.db, { ...toTarget(entry, row), guard: toRequestGuard(row) }, { due_at: dueAtMs })
  return { kind: 'unconfirmed' }
}

/** Guards against a newer request, such as a cancellation, that was stored while the carrier was being asked. */
function toRequestGuard(row: DeliveryRow): DeliveryGuard {
  return { ...bookingGuard(row), cancelRequestedAtMs: row.cancel_requested_at }
}

/** Whether it has the same booking, and somebody has asked to cancel it. */
function isToBeCancelled(current: DeliveryRow, { consignment_number }: DeliveryRow): boolean {
  const isPending = current.cancel_requested_at !== null && !current.replan_requested
  return isPending && current.consignment_number === consignment_number && can('cancel', current)
}

/** A confirmation that a person got from the carrier replaces a missing answer, but never an actual one. */
function withConfirmation(answer: Outcome<null> | null, carrierReleaseConfirmed: boolean): Outcome<null> {
  const isAnswer = answer?.kind === 'yes' || (answer?.kind === 'no' && answer.retry !== 'later')
  if (carrierReleaseConfirmed && !isAnswer) return { kind: 'yes', value: null }
  return answer ?? NOT_BY_INTERFACE
}

const NOT_BY_INTERFACE: Outcome<null> = {
  kind: 'no',
  retry: 'nobody',
  message:
    'it takes cancellations by phone only. Ring them, then cancel again with `carrier_release_confirmed` once they agree.',
}

async function recordCancelled(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  source: 'api' | 'worker',
): Promise<CancelAnswer> {
  const cancelled = await changeDelivery(
    deps.db,
    toTarget(entry, row),
    {
      status: 'cancelled',
      status_reason: row.cancel_reason,
      due_at: null,
      cancel_requested_at: null,
    },
    transitionEvents(deps, [row.status, 'cancelled'], {
      atMs: entry.nowMs(),
      source,
      consignmentNumber: row.consignment_number,
      detail: row.cancel_reason,
    }),
  )
  if (cancelled) return { kind: 'cancelled', row: cancelled }
  const now = await findDelivery(deps.db, row.account_id, row.delivery_id)
  return now?.status === 'cancelled' ? { kind: 'cancelled', row: now } : { kind: 'unconfirmed' }
}

/** The carrier keeps the delivery: tracking continues as before. */
async function dropCancellationRequest(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<void> {
  const polled = (await findCarrier(deps, row.account_id, row.carrier_provider ?? ''))?.track !== undefined
  await changeDelivery(
    deps.db,
    { ...toTarget(entry, row), guard: toRequestGuard(row) },
    {
      cancel_requested_at: null,
      replan_requested: false,
      excluded_providers: row.excluded_providers.filter((provider) => provider !== row.carrier_provider),
      due_at: polled ? entry.nowMs() : null,
    },
  )
}

function toTarget(entry: AccountEntry, row: DeliveryRow): ChangeTarget {
  return {
    accountId: row.account_id,
    deliveryId: row.delivery_id,
    nowMs: entry.nowMs(),
    guard: bookingGuard(row),
  }
}
