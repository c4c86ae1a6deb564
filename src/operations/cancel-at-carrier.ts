import { retryPauseMs } from '../domain/delivery/pauses.ts'
import { type ChangeTarget, changeDelivery } from '../store/change-delivery.ts'
import { findDelivery } from '../store/deliveries.ts'
import { carrierRefOf, type DeliveryRow } from '../store/delivery-rows.ts'
import type { AccountEntry } from './account-directory.ts'
import type { Deps } from './deps.ts'
import { eventsAlong } from './events-along.ts'
import { planAnew } from './plan-anew.ts'

export type CancelAnswer =
  | { kind: 'cancelled'; row: DeliveryRow }
  | { kind: 'refused'; said: string }
  | { kind: 'unconfirmed' }

/**
 * Asks the carrier to let a delivery go and writes down its answer. Asking twice is safe: a cancelled
 * consignment is confirmed again. Without an answer the wish stands and the runner asks on.
 */
export async function cancelAtCarrier(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  source: 'api' | 'worker',
): Promise<CancelAnswer> {
  const carrier = deps.carrierOf(row.account_id, row.carrier_provider ?? '')
  const ref = carrierRefOf(row)
  if (!carrier?.cancel || ref === null) {
    await forgetWish(deps, entry, row)
    return { kind: 'refused', said: 'it takes no cancellations by its interface; call it.' }
  }
  const outcome = await carrier.cancel(ref)
  if (outcome.kind === 'yes' && row.replan_requested) {
    await planAnew(deps, entry, row)
    return { kind: 'unconfirmed' }
  }
  if (outcome.kind === 'yes') return recordCancelled(deps, entry, row, source)
  if (outcome.kind === 'no' && outcome.cure !== 'later') {
    await forgetWish(deps, entry, row)
    return { kind: 'refused', said: outcome.said }
  }
  const dueAtMs = entry.nowMs() + retryPauseMs(Math.max(3, row.claims), Math.random())
  await changeDelivery(deps.db, targetOf(entry, row), { due_at: dueAtMs })
  return { kind: 'unconfirmed' }
}

async function recordCancelled(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  source: 'api' | 'worker',
): Promise<CancelAnswer> {
  const cancelled = await changeDelivery(
    deps.db,
    targetOf(entry, row),
    {
      status: 'cancelled',
      status_reason: row.cancel_reason,
      due_at: null,
      cancel_requested_at: null,
    },
    eventsAlong(deps, [row.status, 'cancelled'], {
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

/** The carrier keeps it: news of it is asked for again as before. */
async function forgetWish(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<void> {
  const polled = deps.carrierOf(row.account_id, row.carrier_provider ?? '')?.track !== undefined
  await changeDelivery(deps.db, targetOf(entry, row), {
    cancel_requested_at: null,
    replan_requested: false,
    due_at: polled ? entry.nowMs() : null,
  })
}

function targetOf(entry: AccountEntry, row: DeliveryRow): ChangeTarget {
  return {
    accountId: row.account_id,
    deliveryId: row.delivery_id,
    nowMs: entry.nowMs(),
    guard: { statuses: [row.status] },
  }
}
