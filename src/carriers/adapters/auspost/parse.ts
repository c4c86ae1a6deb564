import { z } from 'zod'
import type { CarrierRate } from '../../../domain/quoting/carrier-rate.ts'
import { entryOf, excerpt } from '../../kit/answer.ts'
import { type LabelRequest, labelSlices } from '../../kit/label-poller.ts'
import { mergeParcelEvents, parcelsOfUpdate } from '../../kit/merge-parcel-events.ts'
import { rateWithSurcharges } from '../../kit/rates.ts'
import { bookingOfShipments, partsOf } from '../../kit/split-shipment-refs.ts'
import type {
  Booking,
  CarrierEvent,
  CarrierUpdates,
  Consignment,
  Lodged,
  Outcome,
} from '../../port/carrier.ts'
import { yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { NO_CHANGE } from '../../port/status-mapping.ts'
import { reader, SHIPMENT_GONE, TOO_MANY_LABELS } from './refusals.ts'
import {
  Account,
  type Consigned,
  type Costs,
  Items,
  Labels,
  Order,
  type Parcel,
  Prices,
  Shipments,
  SILENT,
  Tracked,
} from './schemas.ts'
import { STATUS_PATTERNS, STATUSES } from './statuses.ts'
import { MAX_ZPL, SURCHARGES, VALID_MS } from './tables.ts'

const { read, readCreate, readUnless } = reader

/** A sentence on our account with Australia Post; an expired contract or blocked credit is a no. */
export function parseAccount(response: CarrierResponse): Outcome<string> {
  const outcome = read(response, Account, (account) => account)
  if (outcome.kind !== 'yes') return outcome
  const { account_number, name, valid_to, expired, credit_blocked, postage_products } = outcome.value
  const message = `account ${account_number} of ${name || 'no name'}`
  if (expired)
    return { kind: 'no', retry: 'nobody', message: `the contract of ${message} ended on ${valid_to}` }
  if (credit_blocked) return { kind: 'no', retry: 'nobody', message: `the credit of ${message} is blocked` }
  const products = postage_products.map(({ product_id }) => product_id).join(', ')
  return yes(`${message}, with the products ${products || 'none'}`)
}

/** A product's price with its surcharges, incl. GST. */
export function parsePrice(
  response: CarrierResponse,
  carrierCode: string,
  wallMs: number,
): Outcome<CarrierRate> {
  return read(response, Prices, ({ shipments }) => {
    const sum = (part: keyof Costs) =>
      shipments.reduce((cents, { shipment_summary }) => cents + shipment_summary[part], 0)
    return rateWithSurcharges(
      { carrierCode, priceCents: sum('total_cost'), expiresAtMs: wallMs + VALID_MS },
      SURCHARGES.map(([detail, part]) => ({ detail, cents: sum(part) })),
    )
  })
}

/** The shipments of a new booking. A different number of shipments doesn't answer our request. */
export function parseCreated(
  response: CarrierResponse,
  { parcels }: Consignment,
  count: number,
): Outcome<Booking> {
  const schema = Shipments.refine(({ shipments }) => shipments.length === count)
  return readCreate(response, schema, ({ shipments }) => bookingOfShipments(shipments, parcels))
}

/**
 * The booking in a listing by our key, or null if the list is empty. A duplicate booking counts once: of two
 * shipments with the same `shipment_reference`, the newest is listed first. A shipment that we can't read, or
 * fewer shipments than we requested, leaves the outcome unknown.
 */
export function parseListed(
  response: CarrierResponse,
  { key, parcels }: Consignment,
  count: number,
): Outcome<Booking | null> {
  const listed = Shipments.transform(({ shipments }) => {
    const ours = shipments.flatMap((one) => (one.key === key ? [[one.reference, one] as const] : []))
    return [...new Map(ours).values()].sort((a, b) => (a.reference < b.reference ? -1 : 1))
  }).refine(({ length }) => length === 0 || length >= count)
  return read(response, listed, (sorted) =>
    sorted.length === 0 ? null : bookingOfShipments(sorted, parcels),
  )
}

/** Also a yes if it was deleted before. */
export function parseDeleted(response: CarrierResponse): Outcome<null> {
  return readUnless(SHIPMENT_GONE, response, z.unknown(), () => null)
}

/** Null: too many labels for one request. */
export function parseLabels(response: CarrierResponse): Outcome<LabelRequest | null> {
  return readUnless(TOO_MANY_LABELS, response, Labels, ({ labels: [label] }) => label)
}

/** The items of shipments, sliced for label requests. */
export const parseSlices = (response: CarrierResponse) => read(response, Items, labelSlices(MAX_ZPL))

/** The order that a shipment is in, or null. */
export function parseOrderOf(response: CarrierResponse): Outcome<string | null> {
  return read(response, Shipments, ({ shipments }) => shipments.find((one) => one.orderId)?.orderId ?? null)
}

export function parseOrder(response: CarrierResponse): Outcome<Lodged> {
  return readCreate(response, Order, ({ lodged }) => lodged)
}

/** The order if it was made under our key, otherwise null: another client made it. */
export function parseOwnOrder(response: CarrierResponse, key: string): Outcome<Lodged | null> {
  return read(response, Order, (order) => (order.key === key ? order.lodged : null))
}

export const parseSummary = (response: CarrierResponse) =>
  read(response, z.instanceof(Buffer), (bytes) => bytes)

/**
 * Tracking events of bookings, by the consignments that they became; an unknown consignment has no events and
 * stays open.
 */
export function parseTracking(response: CarrierResponse, refs: readonly string[]): Outcome<CarrierUpdates> {
  return reader.read(response, Tracked, ({ tracking_results: { good, unreadable } }) => {
    const byId = new Map(good.map((one) => [one.id, one]))
    const events = refs.flatMap((ref) => {
      const parts = partsOf(ref).map(({ consignmentId }) => byId.get(consignmentId) ?? SILENT)
      return mergeParcelEvents(parts.flatMap((part) => parcelsOf(ref, part)))
    })
    const trackables = good.flatMap(({ parcels, own }) => [...parcels, ...own])
    return { events, unreadable: trackables.reduce((sum, one) => sum + one.events.unreadable, unreadable) }
  })
}

function parcelsOf(ref: string, { parcels, own, delivered }: Consigned): CarrierEvent[][] {
  const eventsOfEach = (some: readonly Parcel[]) => some.map((parcel) => eventsOf(ref, parcel))
  return parcelsOfUpdate(eventsOfEach(parcels), eventsOfEach(own).flat(), delivered)
}

/**
 * Newest first, as the API returns them. Events have a text but no status; the newest may also take the
 * parcel's status.
 */
function eventsOf(ref: string, { article_id, status, events }: Parcel): CarrierEvent[] {
  const sorted = events.good.toSorted((a, b) => b.date - a.date)
  return sorted.map(({ description, date, location }, index) => {
    const match = STATUS_PATTERNS.find(([pattern]) => pattern.test(description))?.[1]
    const meaning = match ?? (index === 0 ? entryOf(STATUSES, status) : null) ?? NO_CHANGE
    // The same event may have been stored before the parcel's status was known, so with the status it gets a
    // new id.
    const end = !match && meaning.status === 'delivered' ? ` ${status}` : ''
    return {
      consignmentNumber: ref,
      eventId: excerpt(`${article_id} ${new Date(date).toISOString()} ${description}${end}`).slice(0, 200),
      atMs: date,
      ...meaning,
      message: excerpt(location ? `${description}, ${location}` : description),
    }
  })
}
