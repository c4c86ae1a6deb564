import { can } from '../../domain/delivery/status.ts'
import { noteFailure } from '../../observability/tracing/current.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import {
  claimDueDeliveries,
  type DueDeliveryRow,
  deadLetterDelivery,
  releaseDelivery,
  type VersionedRow,
} from '../../store/deliveries/due-deliveries.ts'
import { QUARANTINE_SLOTS } from '../../store/leases/poison-row-quarantine.ts'
import { bookDelivery } from '../bookings/book-delivery.ts'
import { cancelAtCarrier } from '../bookings/cancel-at-carrier.ts'
import { recheckHeldBooking } from '../bookings/recheck-held-booking.ts'
import { storeCarrierProof } from '../carriers/carrier-proof.ts'
import { trackDeliveries } from '../carriers/track-deliveries.ts'
import type { Deps } from '../deps.ts'
import { type AccountEntry, UnreadableVersion } from '../directory/account-directory.ts'
import { claimDue, type Leased, MAX_CLAIMS, NEEDED_MS, toClaim } from '../leases/claim.ts'
import { expireOffer } from '../own-couriers/expire-offer.ts'

export type DueDelivery = Leased<VersionedRow & Partial<Pick<DueDeliveryRow, 'isUntried'>>>

/** Leases up to `limit` due deliveries of all accounts to this process; suspect rows only as `suspects` has slots. */
export function claimDeliveries(
  deps: Deps,
  limit: number,
  suspects = QUARANTINE_SLOTS,
): Promise<Leased<DueDeliveryRow>[]> {
  return claimDue(deps, { queue: 'deliveries', limit, suspects }, claimDueDeliveries)
}

/**
 * Key of the deliveries that one tracking call to their carrier can cover; null: the delivery is processed by itself.
 */
export function batchKey({ row }: DueDelivery): string | null {
  return row.claims <= MAX_CLAIMS && isTracked(row) ? `${row.account_id} ${row.carrier_provider}` : null
}

/** Does the due work of each claimed delivery, according to its status. */
export async function processDueDeliveries(deps: Deps, due: readonly DueDelivery[]): Promise<void> {
  const groups = Map.groupBy(due, batchKey)
  await Promise.all(
    [...groups].flatMap(([tracked, group]) =>
      tracked === null
        ? group.map((one) => guarded(deps, [one], () => advanceOne(deps, one)))
        : [
            guarded(deps, group, () =>
              trackGroup(
                deps,
                group.map(({ row }) => row),
                Math.min(...group.map(({ claimedAtMs }) => claimedAtMs)) + deps.leaseMs - NEEDED_MS,
              ),
            ),
          ],
    ),
  )
}

async function advanceOne(deps: Deps, { row, claimedAtMs }: DueDelivery): Promise<void> {
  const entry = await deps.accounts.find(row.account_id)
  if (!entry) return
  if (row.claims > MAX_CLAIMS) {
    // A delivered row was only waiting for its proof image, so no person has to act.
    if (row.status === 'delivered') return releaseDelivery(deps.db, toKey(row), null)
    const reason = `Taken out of the queue after ${MAX_CLAIMS} attempts that did not finish.`
    await deadLetterDelivery(deps.db, toKey(row), { reason, nowMs: entry.nowMs() })
    deps.log.error({ delivery: row.delivery_id }, 'delivery dead-lettered')
    return
  }
  if (row.status === 'requested' && row.content.staffCourier) {
    await expireOffer(deps, entry, row)
    return
  }
  if (row.status === 'requested') {
    // An attempt that was opened while we claimed the row is counted in it.
    const known = row.isUntried && row.booking_attempts === 0 && row.pending_attempt === null ? [] : undefined
    await bookDelivery({ deps, entry, claim: toClaim(deps, row, claimedAtMs, 'worker') }, known)
    return
  }
  if (row.status === 'on_hold') {
    await recheckHeldBooking({ deps, entry, claim: toClaim(deps, row, claimedAtMs, 'worker') })
    return
  }
  if (row.cancel_requested_at !== null && can('cancel', row)) {
    const carrierReleaseConfirmed = row.replan_requested && isDecommissioned(entry, row)
    await cancelAtCarrier(deps, entry, row, { source: 'worker', carrierReleaseConfirmed })
    return
  }
  if (row.status === 'delivered') return storeCarrierProof(deps, entry, row)
  await releaseDelivery(deps.db, toKey(row), null)
}

/** How long before we retry a carrier that the account cannot call at present; its next document may restore it. */
const UNREACHABLE_MS = 15 * 60_000

async function trackGroup(deps: Deps, rows: readonly VersionedRow[], untilMs: number): Promise<void> {
  const [first] = rows
  const entry = first && (await deps.accounts.find(first.account_id))
  if (!first || !entry) return
  const carrier = deps.carrierOf(entry, first.carrier_provider ?? '')
  if (!carrier) {
    const dueAtMs = entry.nowMs() + UNREACHABLE_MS
    await Promise.all(rows.map((row) => releaseDelivery(deps.db, toKey(row), dueAtMs)))
    return
  }
  await trackDeliveries(deps, entry, carrier, rows, untilMs)
}

const UNREADABLE_RETRY_MS = 30_000

/** A failure affects no other delivery: it is logged, and the rows are claimed again when their leases end. */
async function guarded(deps: Deps, due: readonly DueDelivery[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    noteFailure(error)
    const ids = due.map(({ row }) => row.delivery_id)
    deps.log.error({ err: error, deliveries: ids }, 'work on deliveries failed; their leases will end')
    if (!(error instanceof UnreadableVersion)) return
    // A newer process can do this work, so the rows must not count as poison.
    const release = ({ row }: DueDelivery) =>
      releaseDelivery(deps.db, toKey(row), deps.accounts.nowMs(row.account_id) + UNREADABLE_RETRY_MS)
    await Promise.all(due.map(release))
  }
}

/** The carrier is decommissioned: bookings that it does not answer for are released. */
function isDecommissioned({ carriersOff }: AccountEntry, { carrier_provider }: DeliveryRow): boolean {
  return carriersOff.get(carrier_provider ?? '')?.decommissioned ?? false
}

/** A cancellation request that was too late does not end tracking. */
function isTracked(row: DeliveryRow): boolean {
  return can('track', row) && !(row.cancel_requested_at !== null && can('cancel', row))
}

function toKey(row: DeliveryRow) {
  return { accountId: row.account_id, deliveryId: row.delivery_id, fence: row.fence }
}
