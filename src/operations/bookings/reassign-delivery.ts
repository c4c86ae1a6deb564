import { toActionFacts, type WhyNot, whyNot } from '../../domain/delivery/actions/why-not.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { Refusal } from '../../domain/errors.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { type Checkpoint, noCheckpoint } from '../idempotency/checkpoint.ts'
import { decideWithoutCurrentCarrier, excludedByReassignment } from '../quoting/decide-now.ts'
import { noServiceAvailable } from '../quoting/plan-delivery.ts'
import { bookSoon } from './book-now.ts'
import { cancelAtCarrier } from './cancel-at-carrier.ts'
import { recordCancellationRequest } from './pending-cancellation.ts'
import { bookingGuard } from './replan-delivery.ts'
import { type CancelRequest, CONFIRM_AGAIN_MS, carrierName } from './request-cancel.ts'

/**
 * Moves a booked delivery to another carrier: asks the current carrier to cancel and, only after it confirms, plans the
 * delivery again without that carrier. Waits at most 8 s for the new booking and returns the delivery's state.
 * Refuses `not_reassignable`; `no_service_available` if no other carrier can take it (the current carrier is not asked
 * then); `cancel_refused`; and `cancellation_pending` (we keep asking, and book no other carrier until it answers). A
 * repeated request whose cancellation has been confirmed since does not cancel the new booking.
 */
export async function reassignDelivery(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  { reason, carrierReleaseConfirmed }: CancelRequest,
  record: WriteAudit = noAudit,
  begun: Checkpoint = noCheckpoint,
): Promise<Delivery> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  if (begun.at !== null && begun.at !== formatBooking(row)) {
    const waits = row.status === 'requested' && !row.content.staffCourier
    return waits ? bookSoon(deps, entry, row) : toDelivery(row)
  }
  refuseUnlessReassignable(row, entry.nowMs())
  // Checked first, so that the current booking is not given up without a replacement.
  const decision = await decideWithoutCurrentCarrier(deps, entry, row)
  if (decision.options.length === 0) throw noServiceAvailable(decision)

  await begun.note(deps.db, formatBooking(row))
  const asked = await recallDeliveries(deps, entry, row, reason, record)
  const answer = await cancelAtCarrier(deps, entry, asked, { source: 'api', carrierReleaseConfirmed })
  if (answer.kind === 'replanned') return bookSoon(deps, entry, answer.row)
  // Somebody cancelled it while the carrier was being asked.
  if (answer.kind === 'cancelled') return toDelivery(answer.row)
  if (answer.kind === 'refused') {
    throw new Refusal(
      'cancel_refused',
      `${carrierName(row)} did not cancel delivery ${row.reference}: ${answer.message}`,
    )
  }
  const now = await findDelivery(deps.db, row.account_id, row.delivery_id)
  // A concurrent request has stored the carrier's answer.
  if (now && now.consignment_number !== row.consignment_number) return toDelivery(now)
  throw new Refusal(
    'cancellation_pending',
    `${carrierName(row)} has not confirmed the cancellation of delivery ${row.reference} yet. Drover keeps asking and books no other carrier until it answers. Read the delivery for the outcome.`,
  )
}

/** Refuses `not_reassignable`. */
export function refuseUnlessReassignable(row: DeliveryRow, nowMs: number): void {
  const why = whyNot('reassign', toActionFacts(toDelivery(row), nowMs))
  if (why === null) return
  throw new Refusal(
    'not_reassignable',
    `Delivery ${row.reference} cannot be reassigned: ${whyWords(row, why)}`,
  )
}

/** Identifies the booking to be cancelled: once the carrier has released it, the request is fulfilled. */
function formatBooking({ consignment_number }: DeliveryRow): string {
  return consignment_number ?? ''
}

function whyWords(row: DeliveryRow, why: WhyNot): string {
  switch (why) {
    case 'for_own_courier':
      return 'a staff courier has it. Assign it to another one with PATCH …/assign.'
    case 'manifested':
      return `${carrierName(row)} has it on a manifest. Call them, or cancel it.`
    case 'on_manifest':
      return `it goes on manifest ${row.manifest_id}, which ${carrierName(row)} has not confirmed yet. Wait for the confirmation, or cancel the delivery.`
    case 'cancelling':
      return 'it is being cancelled.'
    default:
      return `it is ${row.status}. Only deliveries that a carrier has booked and not yet collected can be reassigned.`
  }
}

async function recallDeliveries(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  reason: string | null,
  record: WriteAudit,
): Promise<DeliveryRow> {
  const why = reason ?? `Cancelled with ${carrierName(row)}, to be booked with another carrier.`
  const guard = { ...bookingGuard(row), onNoManifest: true }
  const dueAtMs = entry.nowMs() + CONFIRM_AGAIN_MS
  const excluded = excludedByReassignment(row)
  const request = { purpose: 'replan', reason: why, guard, dueAtMs, excluded } as const
  const asked = await recordCancellationRequest(deps, entry, row, request, record)
  if (asked) return asked
  throw new Refusal(
    'not_reassignable',
    `Delivery ${row.reference} is going on a manifest, or has just changed. Read it, then try again.`,
  )
}
