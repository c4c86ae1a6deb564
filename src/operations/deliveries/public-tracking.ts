import type { Logo } from '../../documents/logo/read-logo.ts'
import type { Store } from '../../domain/account/account.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { hasProof, isFinal } from '../../domain/delivery/status.ts'
import { asTimeline } from '../../domain/delivery/timeline.ts'
import { Refusal } from '../../domain/errors.ts'
import { toFirstName } from '../../domain/tracking/status-labels.ts'
import { type Tracking, type TrackingFacts, toTracking } from '../../domain/tracking/tracking.ts'
import { findCourierPosition } from '../../store/carriers/courier-positions.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { findProof, findProofFacts } from '../../store/deliveries/delivery-proofs.ts'
import { toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { listTimeline } from '../../store/deliveries/events.ts'
import { findCourierPlace } from '../../store/own-couriers/staff-couriers.ts'
import { getBrandLogo } from '../accounts/logos.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findTokenAccounts } from '../tokens/account-tag.ts'
import { trackedDelivery } from '../tokens/tracking-token.ts'

/** Capability URL: a delivery as the holder of its tracking URL sees it; only `tracking` may be shown. */
export type PublicTracking = {
  entry: AccountEntry
  delivery: Delivery
  store: Store
  tracking: Tracking
  nowMs: number
}

/** How long a delivery can be tracked after its end; account time. */
const KEPT_MS = 30 * 24 * 3_600_000

/**
 * The content of a tracking page. Refuses `not_found`, with the same message for an expired URL and one that never
 * existed.
 */
export async function publicTracking(deps: Deps, token: string): Promise<PublicTracking> {
  const { entry, delivery } = await trackedBy(deps, token)
  const { accountId, id } = delivery
  const [store, events, courier, proof] = await Promise.all([
    getStore(deps, entry, delivery),
    listTimeline(deps.db, accountId, id),
    findCourier(deps, delivery),
    hasProof(delivery) ? findProofFacts(deps.db, accountId, id) : null,
  ])
  const nowMs = entry.nowMs()
  return {
    entry,
    delivery,
    store,
    nowMs,
    tracking: toTracking({ delivery, events: asTimeline(events), store, courier, proof, nowMs }),
  }
}

/** The photo of where the parcel was left. Refuses `not_found` if there is no photo for customers. */
export async function photoOfDelivery(
  deps: Deps,
  token: string,
): Promise<{ bytes: Buffer; mediaType: string }> {
  const { delivery } = await trackedBy(deps, token)
  const proof = hasProof(delivery) ? await findProof(deps.db, delivery.accountId, delivery.id) : null
  if (proof?.kind !== 'photo' || proof.place !== 'at_door' || !proof.image) throw nothingToFollow()
  return proof.image
}

/** The logo of the brand that delivers. Refuses `not_found` if it has none. */
export async function getTrackingLogo(deps: Deps, token: string): Promise<Pick<Logo, 'bytes' | 'mediaType'>> {
  const { entry, delivery } = await trackedBy(deps, token)
  const { brand } = await getStore(deps, entry, delivery)
  const logo = getBrandLogo(brand)
  if (!logo) throw nothingToFollow()
  return logo
}

async function trackedBy(deps: Deps, token: string): Promise<{ entry: AccountEntry; delivery: Delivery }> {
  for (const accountId of findTokenAccounts(deps.accounts.list(), token)) {
    const deliveryId = trackedDelivery(deps.secretKey, accountId, token)
    const row = deliveryId === null ? null : await findDelivery(deps.db, accountId, deliveryId)
    const entry = row && row.erased_at === null ? await deps.accounts.find(accountId) : null
    if (!row || !entry) continue
    const delivery = toDelivery(row)
    if (isFinal(delivery.status) && entry.nowMs() > delivery.updatedAtMs + KEPT_MS) break
    return { entry, delivery }
  }
  throw nothingToFollow()
}

async function findCourier(deps: Deps, delivery: Delivery): Promise<TrackingFacts['courier']> {
  const { staffCourier } = delivery.content
  if (!staffCourier) return carriersCourier(deps, delivery)
  const { accountId, storeId, id, window } = delivery
  const job = { id, windowToMs: window?.toMs ?? null }
  const place = await findCourierPlace(deps.db, accountId, storeId, staffCourier.phone, job)
  return { firstName: toFirstName(staffCourier.driverName), place }
}

/** The carrier's courier. No carrier reports how many stops are before this one. */
async function carriersCourier(deps: Deps, { accountId, id }: Delivery): Promise<TrackingFacts['courier']> {
  const found = await findCourierPosition(deps.db, accountId, id)
  if (!found?.courierName) return null
  const { lat, lng, atMs, courierName } = found
  return { firstName: toFirstName(courierName), place: { lat, lng, atMs, stopsBefore: 0 } }
}

/** A store that was removed from the account is found in the version that the delivery was decided under. */
async function getStore(deps: Deps, entry: AccountEntry, delivery: Delivery): Promise<Store> {
  const known = entry.account.storeById.get(delivery.storeId)
  if (known) return known
  const version = await deps.accounts.atVersion(delivery.accountId, delivery.accountVersion)
  const store = version.storeById.get(delivery.storeId)
  if (!store)
    throw new Error(`Version ${version.version} of ${delivery.accountId} lacks store ${delivery.storeId}.`)
  return store
}

function nothingToFollow(): Refusal {
  return new Refusal(
    'not_found',
    'This tracking link doesn’t work, or no longer does. Check that the address is complete.',
  )
}
