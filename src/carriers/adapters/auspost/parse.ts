import { z } from 'zod'
import type { CarrierRate } from '../../../domain/quoting/carrier-rate.ts'
import type { LabelRequest } from '../../kit/label-poller.ts'
import { labelSlices } from '../../kit/label-slices.ts'
import { rateWithSurcharges } from '../../kit/rates.ts'
import { bookingOfShipments } from '../../kit/split-shipment-refs.ts'
import type { Booking, Consignment, Lodged, Outcome } from '../../port/carrier.ts'
import { yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { SHIPMENT_GONE, TOO_MANY_LABELS, WORDS } from './refusals.ts'
import { Account, type Costs, Items, Labels, Order, Prices, Shipments } from './schemas.ts'
import { KEPT_MS, MOST_ZPL, SURCHARGES } from './tables.ts'

const { read, readUnless } = WORDS

/** What we are to them, in a sentence; a contract that is over or blocked is a no. */
export function parseAccount(response: CarrierResponse): Outcome<string> {
  const outcome = read(response, Account, (account) => account)
  if (outcome.kind !== 'yes') return outcome
  const { account_number, name, valid_to, expired, credit_blocked, postage_products } = outcome.value
  const said = `account ${account_number} of ${name || 'no name'}`
  if (expired) return { kind: 'no', cure: 'nobody', said: `the contract of ${said} ended on ${valid_to}` }
  if (credit_blocked) return { kind: 'no', cure: 'nobody', said: `the credit of ${said} is blocked` }
  const products = postage_products.map(({ product_id }) => product_id).join(', ')
  return yes(`${said}, with the products ${products || 'none'}`)
}

/** What a product costs with its surcharges, GST included. */
export function parsePrice(
  response: CarrierResponse,
  carrierCode: string,
  wallMs: number,
): Outcome<CarrierRate> {
  return read(response, Prices, ({ shipments }) => {
    const sum = (part: keyof Costs) =>
      shipments.reduce((cents, { shipment_summary }) => cents + shipment_summary[part], 0)
    return rateWithSurcharges(
      { carrierCode, priceCents: sum('total_cost'), expiresAtMs: wallMs + KEPT_MS },
      SURCHARGES.map(([detail, part]) => ({ detail, cents: sum(part) })),
    )
  })
}

/** The shipments of a new booking. Another number than we asked for is no answer to it. */
export function parseCreated(
  response: CarrierResponse,
  { parcels }: Consignment,
  wanted: number,
): Outcome<Booking> {
  const asked = Shipments.refine(({ shipments }) => shipments.length === wanted)
  return read(response, asked, ({ shipments }) => bookingOfShipments(shipments, parcels))
}

/**
 * What a listing by our key holds of the booking, or null for none. One that was made twice counts once: of the same
 * `shipment_reference` the one made last is listed first. A shipment that we cannot read is unknown, not none, and so
 * are fewer of them than we asked for.
 */
export function parseListed(
  response: CarrierResponse,
  { key, parcels }: Consignment,
  wanted: number,
): Outcome<Booking | null> {
  const listed = Shipments.transform(({ shipments }) => {
    const ours = shipments.flatMap((one) => (one.key === key ? [[one.reference, one] as const] : []))
    return [...new Map(ours).values()].sort((a, b) => (a.reference < b.reference ? -1 : 1))
  }).refine(({ length }) => length === 0 || length >= wanted)
  return read(response, listed, (sorted) =>
    sorted.length === 0 ? null : bookingOfShipments(sorted, parcels),
  )
}

/** Yes too when it was deleted before. */
export function parseDeleted(response: CarrierResponse): Outcome<null> {
  return readUnless(SHIPMENT_GONE, response, z.unknown(), () => null)
}

/** Null: they are too many for one request. */
export function parseLabels(response: CarrierResponse): Outcome<LabelRequest | null> {
  return readUnless(TOO_MANY_LABELS, response, Labels, ({ labels: [label] }) => label)
}

/** The items of shipments, as labels are asked for. */
export const parseSlices = (response: CarrierResponse) => read(response, Items, labelSlices(MOST_ZPL))

/** The order that a shipment is in, or null. */
export function parseOrderOf(response: CarrierResponse): Outcome<string | null> {
  return read(response, Shipments, ({ shipments }) => shipments.find((one) => one.orderId)?.orderId ?? null)
}

export function parseOrder(response: CarrierResponse): Outcome<Lodged> {
  return read(response, Order, ({ lodged }) => lodged)
}

/** The order if it is the one made under our key, else null: it is somebody else's. */
export function parseOwnOrder(response: CarrierResponse, key: string): Outcome<Lodged | null> {
  return read(response, Order, (order) => (order.key === key ? order.lodged : null))
}

export const parseSummary = (response: CarrierResponse) =>
  read(response, z.instanceof(Buffer), (bytes) => bytes)
