import type { Delivery } from '../../domain/delivery/delivery.ts'
import { can } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, deliveryOf } from '../../store/deliveries/delivery-rows.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import { noAudit, type WriteAudit } from '../context/audit.ts'
import type { Caller } from '../context/caller.ts'
import { type Checkpoint, noCheckpoint } from '../context/checkpoint.ts'
import type { Deps } from '../context/deps.ts'
import { type DeliveryName, getDeliveryRow } from '../context/get-delivery.ts'
import { avoidedElsewhere, decideElsewhere } from '../quoting/decide-now.ts'
import { noServiceAvailable } from '../quoting/plan-delivery.ts'
import { bookSoon } from './book-now.ts'
import { cancelAtCarrier } from './cancel-at-carrier.ts'
import { bookingGuard } from './replan-delivery.ts'
import { type CancelWish, CONFIRM_AGAIN_MS, carrierName } from './request-cancel.ts'
import { recordCancellationRequest } from './request-cancellation.ts'

/**
 * Takes a booked delivery from its carrier to give it to another one: asked back first, and only after the carrier's
 * own yes planned anew, without that carrier. Answers it as it stands after a try of at most 8 s to book it.
 *
 * Refuses `not_reassignable`, `no_service_available` while no other carrier could take it (the carrier is not asked
 * then), `cancel_refused` and `cancel_unconfirmed` (it is asked on, and nothing else is booked until it answers). What
 * the same request asked back before, and has been let go since, is asked back from nobody else.
 */
export async function reassignDelivery(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  { reason, wordGiven }: CancelWish,
  record: WriteAudit = noAudit,
  begun: Checkpoint = noCheckpoint,
): Promise<Delivery> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  if (begun.at !== null && begun.at !== bookingOf(row)) {
    const waits = row.status === 'requested' && !row.content.staffCourier
    return waits ? bookSoon(deps, entry, row) : deliveryOf(row)
  }
  const why = whyNot(row)
  if (why !== null) {
    throw new Refusal(
      'not_reassignable',
      `Delivery ${row.reference} cannot be given to another carrier: ${why}`,
    )
  }
  // Asked first, so that what it has is not given up for nothing.
  const decision = await decideElsewhere(deps, entry, row)
  if (decision.options.length === 0) throw noServiceAvailable(decision)

  await begun.note(deps.db, bookingOf(row))
  const asked = await askBack(deps, entry, row, reason, record)
  const answer = await cancelAtCarrier(deps, entry, asked, { source: 'api', wordGiven })
  if (answer.kind === 'planned_anew') return bookSoon(deps, entry, answer.row)
  if (answer.kind === 'refused') {
    throw new Refusal(
      'cancel_refused',
      `${carrierName(row)} does not let delivery ${row.reference} go: ${answer.said}`,
    )
  }
  const now = await findDelivery(deps.db, row.account_id, row.delivery_id)
  // Its answer was written down by whoever asked at the same time.
  if (now && now.consignment_number !== row.consignment_number) return deliveryOf(now)
  throw new Refusal(
    'cancel_unconfirmed',
    `${carrierName(row)} has not let delivery ${row.reference} go yet. It is asked again until it answers, and nothing else is booked before: read the delivery for the outcome.`,
  )
}

/** Which of its bookings is asked back: once that is let go, the wish is fulfilled. */
function bookingOf({ consignment_number }: DeliveryRow): string {
  return consignment_number ?? ''
}

function whyNot(row: DeliveryRow): string | null {
  if (row.content.staffCourier) return 'a staff courier has it. Give it to another one with PATCH …/assign.'
  if (!can('reassign', row))
    return `it is ${row.status}. Only what a carrier has and has not collected can be.`
  if (row.manifest_status === 'manifested')
    return `${carrierName(row)} has it on a manifest. Call them, or cancel it.`
  if (row.cancel_requested_at !== null && !row.replan_requested) return 'it is being cancelled.'
  return null
}

async function askBack(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  reason: string | null,
  record: WriteAudit,
): Promise<DeliveryRow> {
  const why = reason ?? `Asked back from ${carrierName(row)}, to go with another carrier.`
  const guard = { ...bookingGuard(row), onNoManifest: true }
  const dueAtMs = entry.nowMs() + CONFIRM_AGAIN_MS
  const avoided = avoidedElsewhere(row)
  const wish = { wish: 'plan_anew', reason: why, guard, dueAtMs, avoided } as const
  const asked = await recordCancellationRequest(deps, entry, row, wish, record)
  if (asked) return asked
  throw new Refusal(
    'not_reassignable',
    `Delivery ${row.reference} goes on a manifest, or has just changed: read it and ask again.`,
  )
}
