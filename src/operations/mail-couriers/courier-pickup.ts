import type { Consignment } from '../../carriers/port/carrier.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Manifest } from '../../domain/manifests/manifest.ts'
import { findManifest } from '../../store/manifests/manifests.ts'
import {
  type CourierBooking,
  listCourierBookings,
  listCourierManifests,
} from '../../store/own-couriers/courier-pickup.ts'
import type { Deps } from '../deps.ts'
import { type AccountEntry, carrierNamed } from '../directory/account-directory.ts'
import { manifestCsv, manifestPdf } from '../manifests/order-summary.ts'
import { isSignedBy } from '../secrets/sign.ts'
import { courierAddress, type PickupLink, pickupText } from '../tokens/courier-link.ts'
import { courierNotesCsv, type NoteFacts } from './courier-note.ts'

/** Capability URL: the pickup page of a courier, with its open bookings and the papers of its manifests. */
export type Pickup = {
  carrierName: string
  sandbox: boolean
  /** `address`: the capability URL where the courier's staff read one booking and report its status. */
  bookings: readonly { facts: NoteFacts; status: CourierBooking['status']; address: string }[]
  manifests: readonly Manifest[]
}

const MAX_BOOKINGS = 1_000
const MANIFEST_DAYS = 14

/**
 * The courier's open bookings, oldest first, at most 1,000, and its manifests of the last 14 days. Refuses
 * `not_found`.
 */
export async function openPickup(deps: Deps, link: PickupLink): Promise<Pickup> {
  const entry = await openedBy(deps, link)
  const { account, nowMs } = entry
  const bookings = await listCourierBookings(deps.db, account.id, link.provider, MAX_BOOKINGS)
  const sinceMs = nowMs() - MANIFEST_DAYS * 24 * 3_600_000
  const manifests = await listCourierManifests(deps.db, account.id, link.provider, sinceMs)
  return {
    carrierName: carrierNamed(entry, link.provider)?.name ?? link.provider,
    sandbox: account.mode === 'sandbox',
    bookings: bookings.map((booking) => ({
      facts: toNoteFacts(entry, booking),
      status: booking.status,
      address: courierAddress(deps, { accountId: account.id, key: booking.key }, windowToMs(booking)),
    })),
    manifests,
  }
}

/** The courier's open bookings, one row per article. */
export async function pickupCsv(deps: Deps, link: PickupLink): Promise<string> {
  const { bookings } = await openPickup(deps, link)
  return courierNotesCsv(bookings.map(({ facts }) => facts))
}

/** One of the courier's manifests as PDF or CSV. Refuses `not_found`. */
export async function pickupManifest(
  deps: Deps,
  link: PickupLink,
  manifestId: string,
  kind: 'pdf' | 'csv',
): Promise<Buffer> {
  const { account } = await openedBy(deps, link)
  const manifest = await findManifest(deps.db, account.id, manifestId)
  if (manifest?.provider !== link.provider || manifest.state !== 'submitted') throw nothing()
  return kind === 'pdf' ? manifestPdf(deps, manifest) : Buffer.from(await manifestCsv(deps, manifest))
}

async function openedBy(deps: Deps, { accountId, provider, sig }: PickupLink): Promise<AccountEntry> {
  const entry = await deps.accounts.find(accountId)
  const pickup = entry && deps.carrierOf(entry, provider)?.pickup
  const good =
    pickup &&
    isSignedBy(deps.secretKey, 'courier-pickup', pickupText({ accountId, provider }, pickup.number), sig)
  if (!entry || !good) throw nothing()
  return entry
}

function toNoteFacts({ account }: AccountEntry, booking: CourierBooking): NoteFacts {
  return {
    consignment: booking.consignment as Consignment,
    booking,
    carrierName: booking.carrierName,
    sandbox: account.mode === 'sandbox',
    zone: account.storeById.get(booking.storeId)?.zone ?? account.zone,
  }
}

function windowToMs({ consignment }: CourierBooking): number {
  return (consignment as Consignment).window.toMs
}

function nothing(): Refusal {
  return new Refusal(
    'not_found',
    'This link doesn’t work, or no longer does. Check that the address is complete.',
  )
}
