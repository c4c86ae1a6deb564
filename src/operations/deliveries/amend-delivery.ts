import { formatLocal } from '../../domain/calendar/zone.ts'
import { toActionFacts, whyNot } from '../../domain/delivery/actions/why-not.ts'
import { type Amendment, amendedRequest } from '../../domain/delivery/amend.ts'
import { type Amendable, type Change, changedFields, changesBetween } from '../../domain/delivery/changes.ts'
import type { Delivery, DeliveryContent } from '../../domain/delivery/delivery.ts'
import { reasonAndRemedy } from '../../domain/delivery/status-remedy.ts'
import { Refusal } from '../../domain/errors.ts'
import { offerEndsMs } from '../../domain/own-network/job.ts'
import type { ResolvedDelivery } from '../../domain/quoting/resolve/resolve-delivery.ts'
import { type Db, isUniqueViolation } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import type { NewEvent } from '../../store/deliveries/events.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { offerJob } from '../own-couriers/offer-job.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { bookingDueMs, type Plan, planDelivery, waitingReason } from '../quoting/plan-delivery.ts'
import { resolveAmended } from '../quoting/resolve-delivery.ts'
import { referenceTaken } from './reference-taken.ts'

/** After this many lost races with concurrent changes, the amend gives up. */
const MAX_ATTEMPTS = 5

/**
 * Optimistic lock: changes a delivery that is not yet booked, and decides it again under the account's current version;
 * if that version no longer has something that the delivery uses, under the version that it was decided under. Any
 * quote's promise ends. One statement decides the race with booking: it matches only while no carrier is being asked
 * and the content is unchanged since it was read. So a delivery is never booked with the content from before an
 * acknowledged amend.
 *
 * Refuses `delivery_already_consigned`, `booking_in_progress`, `not_amendable`, `duplicate_reference`,
 * `invalid_request` and `no_service_available`; then nothing has changed. `alongside` runs in the same transaction, and
 * its result is returned.
 */
export async function amendDelivery<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  amendment: Amendment,
  alongside: (db: Db, amended: Delivery) => Promise<T>,
): Promise<T> {
  let row = await getDeliveryRow(deps, entry, caller, name)
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const { under, ...change } = await planAmendment(deps, entry, caller, row, amendment)
    const done = await write(deps, under, row, change, alongside)
    if (done) {
      const { amended, answer } = done
      if (change.plan.waitsForCourier || (amended.due_at !== null && amended.due_at <= entry.nowMs()))
        deps.wake()
      return answer
    }
    row = await getDeliveryRow(deps, entry, caller, { idOrReference: row.delivery_id, storeReference: null })
  }
  throw new Refusal(
    'version_conflict',
    `Somebody changed delivery ${row.reference} at the same time. Read it and amend it again.`,
  )
}

/** The delivery as amended, and the account that it is decided under. Refuses as `amendDelivery`; nothing is written. */
export async function planAmendment(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  row: DeliveryRow,
  amendment: Amendment,
): Promise<Amended & { under: AccountEntry }> {
  refuseUnlessAmendable(row, entry.nowMs())
  const request = amendedRequest(toDelivery(row), amendment)
  const { under, resolved } = await resolveAmended(deps, entry, caller, row, request, amendment)
  await refuseCutLabel(under.account, request.reference, resolved)
  const plan = await planDelivery(deps, under, resolved, { excluded: excludedBy(row) })
  return { reference: request.reference, resolved, plan, under }
}

function refuseUnlessAmendable(row: DeliveryRow, nowMs: number): void {
  const { reference, status } = row
  const why = whyNot('amend', toActionFacts(toDelivery(row), nowMs))
  if (why === null) return
  if (why === 'consigned') {
    throw new Refusal(
      'delivery_already_consigned',
      `Delivery ${reference} has the consignment number ${row.consignment_number} and can no longer be amended.`,
    )
  }
  if (why === 'wrong_status') {
    throw new Refusal('not_amendable', `Delivery ${reference} is ${status} and can no longer be amended.`)
  }
  if (status === 'on_hold') {
    throw new Refusal(
      'not_amendable',
      `Delivery ${reference} may already be booked with a carrier. ${reasonAndRemedy(toDelivery(row))}`.trim(),
    )
  }
  throw new Refusal(
    'booking_in_progress',
    `Delivery ${reference} is being booked right now. Try again once the booking attempt has ended.`,
  )
}

/** When a person retries a held delivery, every carrier is tried again. */
function excludedBy({ status, excluded_providers: excluded }: DeliveryRow): readonly string[] {
  return status === 'on_hold' ? [] : excluded
}

type Amended = { reference: string; resolved: ResolvedDelivery; plan: Plan }

/** Null: the delivery has changed since it was read, and nothing was written. */
async function write<T>(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { reference, resolved, plan }: Amended,
  alongside: (db: Db, amended: Delivery) => Promise<T>,
): Promise<{ amended: DeliveryRow; answer: T } | null> {
  const { account } = entry
  const now = entry.nowMs()
  const held = row.status === 'on_hold'
  const { status, content_version: contentVersion } = row
  const target = {
    accountId: row.account_id,
    deliveryId: row.delivery_id,
    nowMs: now,
    guard: { statuses: [status], noOpenAttempt: true, contentVersion },
  }
  const patch = {
    status: 'requested',
    status_reason: waitingReason(plan),
    reference,
    content: resolved.content,
    ready_for_pickup_at: resolved.readyForPickupAtMs,
    delivery_type: plan.deliveryType,
    chosen: plan.chosen,
    decision: plan.decision,
    decided_at: now,
    window_from: plan.window?.fromMs ?? null,
    window_to: plan.window?.toMs ?? null,
    carrier_provider: plan.carrier_provider,
    manifest_status: plan.manifest_status,
    account_version: account.version,
    booking_attempts: 0,
    excluded_providers: excludedBy(row),
    due_at: plan.waitsForCourier
      ? offerEndsMs(account, now)
      : bookingDueMs(account, resolved.readyForPickupAtMs, now),
    ...(held ? { requested_at: now } : {}),
  } as const
  try {
    const events = toEvents(deps, now, held, listChanges(row, { reference, resolved, plan }))
    return await withTransaction(deps.db, async (db) => {
      const amended = await changeDelivery(db, target, patch, events)
      if (!amended) return null
      // The courier was offered the old content, so the job is offered again.
      if (plan.waitsForCourier) await offerJob(deps, db, entry, amended, { onList: true })
      return { amended, answer: await alongside(db, toDelivery(amended)) }
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw await duplicateReference(deps, row, reference)
  }
}

/** The changes of the amend; the write matches only if the delivery is unchanged since it was read. */
function listChanges(row: DeliveryRow, { reference, resolved, plan }: Amended): Change[] {
  const { store } = resolved
  const amendable = (readyMs: number, content: DeliveryContent) => ({
    readyForPickupAt: formatLocal(store.zone, readyMs),
    specialInstructions: content.specialInstructions,
    address: content.address,
    customer: content.customer,
    lineItems: content.lineItems,
    parcels: content.parcels,
  })
  const before: Amendable = {
    ...amendable(row.ready_for_pickup_at, row.content),
    reference: row.reference,
    deliveryType: row.delivery_type,
  }
  const after: Amendable = {
    ...amendable(resolved.readyForPickupAtMs, resolved.content),
    reference,
    deliveryType: plan.deliveryType,
  }
  return changesBetween(before, after)
}

function toEvents(deps: Deps, atMs: number, held: boolean, changes: readonly Change[]): NewEvent[] {
  const eventFields = { atMs, source: 'api', subStatus: null, consignmentNumber: null } as const
  const amended = {
    ...eventFields,
    eventId: deps.newId('evt'),
    type: 'delivery.amended',
    from: null,
    to: null,
    detail: changedFields(changes) || null,
    data: { changes },
  }
  if (!held) return [amended]
  const eventId = deps.newId('evt')
  return [
    amended,
    { ...eventFields, eventId, type: 'delivery.requested', from: 'on_hold', to: 'requested', detail: null },
  ]
}

async function duplicateReference(deps: Deps, row: DeliveryRow, reference: string): Promise<Refusal> {
  const [existing] = await listDeliveriesByReference(deps.db, row.account_id, reference, [row.store_id])
  return referenceTaken(deps, { accountId: row.account_id, storeId: row.store_id, reference }, existing)
}
