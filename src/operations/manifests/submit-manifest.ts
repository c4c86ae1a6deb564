import {
  type BookingRecovery,
  type Carrier,
  isReadByPeople,
  type Lodged,
  type ManifestOrder,
  type Outcome,
} from '../../carriers/port/carrier.ts'
import { openSubmit } from '../../store/manifests/change-manifest.ts'
import { listManifestDeliveries } from '../../store/manifests/manifests.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import {
  type ManifestWork,
  pauseMs,
  recordHold,
  recordLater,
  recordLodged,
  recordRefused,
  recordUnknown,
  toManifestTarget,
} from './manifest-work.ts'

/**
 * Submits a claimed manifest to its carrier. An earlier submit without an answer is resolved first, by the
 * carrier's recovery method (`recovery`), and only a known no allows another submit.
 *
 * A crash at any point is safe: we commit that we are about to submit, with the manifest's id as the
 * carrier's reference, so the next worker to claim the row finds the carrier's order instead of making a
 * second one.
 */
export async function submitManifest(work: ManifestWork): Promise<void> {
  const { deps, row } = work
  const carrier = await findCarrier(deps, row.accountId, row.provider)
  if (!carrier?.manifest) {
    const reason = `${row.carrierName} accepts no manifests through its API.`
    await (row.submissionState === null ? recordRefused(work, reason) : recordHold(work, reason))
    return
  }
  if (row.submissionState !== null && (await settle(work, carrier)) === 'done') return
  await ask(work, carrier, row.submissionState === null)
}

/** `fresh`: the submit still has to be recorded; otherwise the same one is sent again. */
async function ask(work: ManifestWork, { manifest, recovery }: Carrier, fresh: boolean): Promise<void> {
  if (!manifest || !(await work.mayCall())) return
  const settleMs = recovery.kind === 'look_up' ? recovery.settleMs : 0
  if (fresh && !(await openSubmit(work.deps.db, toManifestTarget(work), settleMs))) return
  const order = await toOrder(work)
  if (order.refs.length === 0)
    return recordRefused(work, 'All of its deliveries have since moved to another carrier.')
  const rejectedRefs = order.refs.filter((ref) => manifest.acceptsRef?.(ref) === false)
  if (rejectedRefs.length > 0) return recordRefused(work, rejectedRefsReason(work, rejectedRefs))
  if (!(await work.mayCall())) return
  await record(work, recovery, await manifest.submit(order), fresh)
}

async function record(
  work: ManifestWork,
  recovery: BookingRecovery,
  outcome: Outcome<Lodged>,
  fresh: boolean,
): Promise<void> {
  if (outcome.kind === 'yes') return recordLodged(work, outcome.value)
  if (outcome.kind === 'unknown') {
    if (recovery.kind === 'neither') return recordHold(work, unresolvableReason(work))
    if (recovery.kind !== 'look_up') return recordUnknown(work, pauseMs(work))
    const unclearRefusal = outcome.ifRepeated && { unclearRefusal: outcome.message }
    return recordUnknown(work, recovery.settleMs, { ...unclearRefusal })
  }
  if (outcome.retry !== 'later') {
    if (fresh || !isReadByPeople(recovery)) return recordRefused(work, outcome.message)
    return recordHold(work, unresolvableReason(work))
  }
  // A request that was not sent this time says nothing about an earlier one.
  return fresh ? recordLater(work, outcome.message) : recordUnknown(work, pauseMs(work))
}

/**
 * `free`: the carrier doesn't have it, or honours its idempotency key. `done`: nothing more to do for now.
 */
type Settled = 'free' | 'done'

function settle(work: ManifestWork, carrier: Carrier): Promise<Settled> {
  return SETTLE[carrier.recovery.kind](work, carrier)
}

const SETTLE: Record<BookingRecovery['kind'], (work: ManifestWork, carrier: Carrier) => Promise<Settled>> = {
  async idempotency_key() {
    return 'free'
  },

  async look_up(work, { recovery, manifest }) {
    const { row } = work
    const settleMs = recovery.kind === 'look_up' ? recovery.settleMs : 0
    if (row.submissionState === 'sent') {
      // The worker that sent it crashed, maybe at the very end of its lease: the settle time starts again.
      await recordUnknown(work, settleMs, { settleMs })
      return 'done'
    }
    if (row.settleInMs > 0) {
      await recordUnknown(work, row.settleInMs)
      return 'done'
    }
    if (!manifest?.find || !(await work.mayCall())) return 'done'
    const found = await manifest.find(row.id, await toOrder(work))
    if (found.kind !== 'yes') await recordUnknown(work, pauseMs(work))
    else if (found.value) await recordLodged(work, found.value)
    else if (row.unclearRefusal !== null) await recordRefused(work, row.unclearRefusal)
    else await recordLater(work, `It does not have manifest ${row.id}.`)
    return 'done'
  },

  async neither(work) {
    await recordHold(work, unresolvableReason(work))
    return 'done'
  },
}

/** A person settled their bookings, by the numbers on the labels. */
function rejectedRefsReason(
  { row: { carrierName } }: ManifestWork,
  consignmentNumbers: readonly string[],
): string {
  const more = consignmentNumbers.length > 10 ? ` and ${consignmentNumbers.length - 10} more` : ''
  return `${carrierName} cannot find these consignments by the numbers on their labels: ${consignmentNumbers.slice(0, 10).join(', ')}${more}. Create a manifest without these deliveries, then lodge them with ${carrierName} yourself.`
}

function unresolvableReason({ row }: ManifestWork): string {
  return `${row.carrierName} did not answer our manifest ${row.id}, and its API cannot look the manifest up.`
}

async function toOrder({ deps, row }: ManifestWork): Promise<ManifestOrder> {
  const members = await listManifestDeliveries(deps.db, row.accountId, [row.id])
  return {
    key: row.id,
    group: row.group,
    dangerousGoods: row.dangerousGoods,
    refs: members.map(({ consignmentNumber, carrierRef }) => carrierRef ?? consignmentNumber),
  }
}
