import type { Timestamp } from '../../domain/calendar/timestamp.ts'
import { toActionFacts, whyNot } from '../../domain/delivery/actions/why-not.ts'
import { amendedRequest } from '../../domain/delivery/amend.ts'
import { parcelChanges } from '../../domain/delivery/changes.ts'
import type { Article, Delivery } from '../../domain/delivery/delivery.ts'
import type { DeliveryRequest, RequestParcel } from '../../domain/delivery/request.ts'
import { Refusal } from '../../domain/errors.ts'
import {
  leftWords,
  listLeftBehind,
  parcelsLeft,
  parcelsOnTheWay,
} from '../../domain/own-network/left-behind.ts'
import { numberIssues } from '../../domain/quoting/resolve/resolve-delivery.ts'
import type { DeliveryType } from '../../domain/values.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { createDeliveries } from '../../store/deliveries/create-deliveries.ts'
import { listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { refuseCutLabel } from '../paperwork/label-issues.ts'
import { planDelivery } from '../quoting/plan-delivery.ts'
import { resolveDeliveryOrRefuse } from '../quoting/resolve-delivery.ts'
import { newDelivery } from './create-delivery.ts'
import { newDeliveryAsDelivery } from './new-delivery.ts'
import { freeReference, referenceTaken } from './reference-taken.ts'

/** Null: a free reference, ready now, the type that was asked for with the first delivery. */
export type SendAfter = {
  reference: string | null
  readyForPickupAt: Timestamp | null
  deliveryType: DeliveryType | null
}

/**
 * Splits a delivery: what the driver left at pickup goes in a new delivery to the same person, and the first keeps what
 * is on the way. One transaction writes both, so that no parcel is in two deliveries or in none. No staff courier is
 * asked for the new one; a person may give it to one.
 *
 * Refuses `nothing_left_behind`, `duplicate_reference`, `no_service_available`, `invalid_request`, `version_conflict`.
 * `alongside` runs in the same transaction, and its result is returned.
 */
export async function sendLeftBehind<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  wanted: SendAfter,
  alongside: (db: Db, created: Delivery) => Promise<T>,
): Promise<T> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  refuseUnlessSplit(row, entry.nowMs())
  const request = await requestOfRest(deps, entry, row, wanted)
  const resolved = resolveDeliveryOrRefuse(entry, caller, request, numberIssues(entry.account, request))
  await refuseCutLabel(entry.account, request.reference, resolved)
  const plan = await planDelivery(deps, entry, resolved, {})
  const made = newDelivery(deps, entry, request.reference, resolved, plan, false, { idempotency: null })
  const done = await withTransaction(deps.db, async (db) => {
    if (!(await createDeliveries(db, [made])).has(made.delivery_id)) return null
    await keepRest(db, deps, entry, row, request.reference)
    return { answer: await alongside(db, newDeliveryAsDelivery(made)) }
  })
  if (done === null) {
    const { account_id: accountId, store_id: storeId, reference } = made
    const [existing] = await listDeliveriesByReference(deps.db, accountId, reference, [storeId])
    throw await referenceTaken(deps, { accountId, storeId, reference }, existing)
  }
  deps.wake()
  return done.answer
}

function refuseUnlessSplit(row: DeliveryRow, nowMs: number): void {
  const { reference, erased_at } = row
  const why = whyNot('send_rest', toActionFacts(toDelivery(row), nowMs))
  if (why === 'nothing_left' || erased_at !== null) {
    throw new Refusal('nothing_left_behind', `No parcel of ${reference} was left behind at pickup.`)
  }
  if (why === null) return
  const message = `No parcel of ${reference} is on the way, so there is nothing to split. Take it over or create it again.`
  throw new Refusal('nothing_left_behind', message)
}

async function requestOfRest(
  { db }: Deps,
  { account, nowMs }: AccountEntry,
  row: DeliveryRow,
  { reference, readyForPickupAt, deliveryType }: SendAfter,
): Promise<DeliveryRequest> {
  const taken = { accountId: account.id, storeId: row.store_id, reference: row.reference }
  const amended = amendedRequest(toDelivery(row), {
    reference: reference ?? (await freeReference(db, taken)),
    readyForPickupAt: readyForPickupAt ?? { kind: 'instant', ms: nowMs() },
    deliveryType,
    parcels: parcelsLeft(row.content.parcels, row.articles),
    specialInstructions: null,
    address: null,
    customer: null,
    lineItems: null,
  })
  return { ...amended, useStaffCouriers: false, staffCourier: null }
}

/** Throws if the delivery has changed since it was read, which also undoes the new one. */
async function keepRest(
  db: Db,
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  sentAs: string,
): Promise<void> {
  const { content, articles, reference } = row
  const left = listLeftBehind(content.parcels, articles)
  const kept = parcelsOnTheWay(content.parcels, articles)
  const nowMs = entry.nowMs()
  const changed = await changeDelivery(
    db,
    {
      accountId: row.account_id,
      deliveryId: row.delivery_id,
      nowMs,
      guard: { statuses: [row.status], contentVersion: row.content_version },
      keepLease: true,
    },
    { content: { ...content, parcels: kept }, articles: takeArticles(kept, articles) },
    [
      {
        eventId: deps.newId('evt'),
        type: 'delivery.amended',
        atMs: nowMs,
        source: 'api',
        subStatus: null,
        consignmentNumber: row.consignment_number,
        from: null,
        to: null,
        detail: `${left.map(leftWords).join(', ')} ${left.length === 1 ? 'goes' : 'go'} in delivery ${sentAs}.`,
        data: { changes: parcelChanges(content.parcels, kept) },
      },
    ],
  )
  if (changed) return
  throw new Refusal(
    'version_conflict',
    `Somebody changed delivery ${reference} at the same time. Read it and try again.`,
  )
}

/** The driver's numbers of the units that are on the way; which of several stayed is not known. */
function takeArticles(kept: readonly RequestParcel[], articles: readonly Article[]): Article[] {
  return kept.flatMap(({ reference, quantity }) =>
    articles
      .filter(({ parcelReference }) => parcelReference === reference)
      .map(({ articleIds }) => ({ parcelReference: reference, articleIds: articleIds.slice(0, quantity) })),
  )
}
