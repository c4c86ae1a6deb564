import type { PoolClient } from 'pg'
import { toActionFacts, type WhyNot, whyNot } from '../../domain/delivery/actions/why-not.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { StaffCourierInput } from '../../domain/delivery/request.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { offerEndsMs } from '../../domain/own-network/job.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryPatch } from '../../store/deliveries/delivery-change.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import { storeOfDelivery } from '../delivery-lookup/store-of-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { transitionEvents } from '../events/status-events.ts'
import { ownNetworkPlan, waitingReason } from '../quoting/plan-delivery.ts'
import { toJob } from '../quoting/to-job.ts'
import { NOT_CONSIGNED } from './answer-job.ts'
import { withdrawJob } from './call-off-driver.ts'
import { offerJob } from './offer-job.ts'
import { courierPhone } from './staff-couriers.ts'

const MAX_ATTEMPTS = 5

/**
 * Assigns a delivery to a staff courier. It may be waiting or held (for a carrier too, while no carrier is being
 * asked), or its present courier has not collected it yet; that courier then loses the job and is notified. The
 * delivery is `requested` and offered again.
 *
 * Refuses `not_assignable`, `no_service_available` and `invalid_request`; then nothing has changed. `alongside` runs in
 * the same transaction, and its result is returned.
 */
export async function assignCourier<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  given: StaffCourierInput,
  alongside: (db: Db, assigned: Delivery) => Promise<T>,
): Promise<T> {
  const phone = courierPhone(entry.account, 'staff_courier.phone', given.phone)
  const courier = { ...given, phone }
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const row = await getDeliveryRow(deps, entry, caller, name)
    refuseUnlessAssignable(row, entry.nowMs())
    // Before the transaction: these may read an older account document, and must not wait for a second connection while
    // holding one.
    await storeOfDelivery(deps, entry, toDelivery(row))
    const plan = row.content.staffCourier ? {} : await planForOwn(deps, entry, row)
    const done = await withTransaction(deps.db, async (db) => {
      const assigned = await assign(deps, db, entry, row, { courier, plan })
      return assigned && { answer: await alongside(db, toDelivery(assigned)) }
    })
    if (done) {
      deps.wake()
      return done.answer
    }
  }
  throw new Refusal(
    'version_conflict',
    'Somebody changed this delivery at the same time. Read it and try again.',
  )
}

const WHY: Readonly<Partial<Record<WhyNot, string>>> = {
  in_progress:
    'Drover is asking a carrier to take it, and has no answer yet. Try again once the booking attempt has ended',
  unanswered:
    'a carrier never answered and may have it. Cancel it, or ask the carrier and report the result with PATCH …/settle-booking',
  collected_by_courier:
    'its courier has collected it. Record it as taken_over (PATCH …/record-outcome) once the store has the parcels, then assign it',
  at_carrier: 'a carrier has it: cancel it first',
}

function refuseUnlessAssignable(row: DeliveryRow, nowMs: number): void {
  const why = whyNot('assign', toActionFacts(toDelivery(row), nowMs))
  if (why === null) return
  throw new Refusal(
    'not_assignable',
    `Delivery ${row.reference} cannot be assigned to a staff courier: ${WHY[why] ?? `it is ${row.status}`}.`,
  )
}

/** Null: the delivery has changed since it was read, and nothing was written. */
async function assign(
  deps: Deps,
  db: PoolClient,
  entry: AccountEntry,
  row: DeliveryRow,
  { courier, plan }: { courier: StaffCourierInput; plan: DeliveryPatch },
): Promise<DeliveryRow | null> {
  const nowMs = entry.nowMs()
  const path: Status[] =
    row.status === 'requested'
      ? []
      : row.status === 'on_hold'
        ? ['on_hold', 'requested']
        : [row.status, 'reassigned', 'requested']
  const after = await changeDelivery(
    db,
    {
      accountId: row.account_id,
      deliveryId: row.delivery_id,
      nowMs,
      guard: { statuses: [row.status], noOpenAttempt: true, contentVersion: row.content_version },
    },
    {
      ...plan,
      status: 'requested',
      sub_status: null,
      status_reason: waitingReason({ waitsForCourier: true }),
      content: { ...row.content, providerOptions: null, staffCourier: courier },
      requested_at: nowMs,
      due_at: offerEndsMs(entry.account, nowMs),
      booking_attempts: 0,
      ...NOT_CONSIGNED,
    },
    transitionEvents(deps, path, { atMs: nowMs, source: 'api' }),
  )
  if (!after) return null
  // If the courier stays the same, they only get a new offer.
  if (row.content.staffCourier?.phone !== courier.phone) await withdrawJob(deps, db, entry, row)
  await offerJob(deps, db, entry, after)
  return after
}

/** A delivery that was decided for carriers gets the time window of own couriers. */
async function planForOwn(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<DeliveryPatch> {
  const account = await deps.accounts.atVersion(row.account_id, row.account_version)
  const plan = ownNetworkPlan(deps, { account, nowMs: entry.nowMs }, toJob(account, toDelivery(row)))
  return {
    chosen: null,
    carrier_provider: null,
    manifest_status: plan.manifest_status,
    decision: plan.decision,
    decided_at: entry.nowMs(),
    delivery_type: plan.deliveryType,
    window_from: plan.window?.fromMs ?? null,
    window_to: plan.window?.toMs ?? null,
  }
}
