import { z } from 'zod'
import { carrierCode, dollarsAsCents, instantMs } from '../../kit/answer.ts'
import type { Booking, Lodged, Outcome } from '../../port/carrier.ts'
import { yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { DELETED_BEFORE, reader } from './refusals.ts'

/** One item per unit. */
export const Items = z.array(
  z.object({ lineNumber: z.int(), itemReference: z.string(), articleId: carrierCode }),
)
const Shipment = z.object({
  shipmentId: carrierCode,
  items: Items,
  summary: z.object({ totalCost: dollarsAsCents, currency: z.literal('AUD') }),
})
type Shipment = z.output<typeof Shipment>

export function parseBooking(response: CarrierResponse): Outcome<Booking> {
  return reader.readCreate(response, z.object({ shipments: z.tuple([Shipment]) }), ({ shipments }) =>
    bookingOf(shipments[0]),
  )
}

/**
 * The first shipment that a look-up lists, or null if the list is empty. A shipment that we can't read leaves
 * the outcome unknown.
 */
export function parseFound(response: CarrierResponse): Outcome<Booking | null> {
  return reader.read(response, z.object({ shipments: z.array(Shipment) }), ({ shipments }) =>
    shipments[0] ? bookingOf(shipments[0]) : null,
  )
}

/** Also a yes if it was deleted before. */
export function parseDelete(response: CarrierResponse): Outcome<null> {
  if (reader.isRefused(response, DELETED_BEFORE)) return yes(null)
  return reader.read(response, z.unknown(), () => null)
}

export function parseNextRun(response: CarrierResponse): Outcome<number> {
  return reader.read(response, z.object({ nextRun: instantMs }), ({ nextRun }) => nextRun)
}

function bookingOf({ shipmentId, items, summary }: Shipment): Booking {
  return { consignmentNumber: shipmentId, articles: articlesOf(items), costCents: summary.totalCost }
}

/** The items with one line number are one of our parcel rows. */
export function articlesOf(items: z.output<typeof Items>): Booking['articles'] {
  const rows = new Map<number, { parcelReference: string; articleIds: string[] }>()
  for (const { lineNumber, itemReference, articleId } of items) {
    const row = rows.get(lineNumber) ?? { parcelReference: itemReference, articleIds: [] }
    row.articleIds.push(articleId)
    rows.set(lineNumber, row)
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
}

const Order = z.object({
  orderId: carrierCode,
  summary: z.object({ totalCost: dollarsAsCents, currency: z.literal('AUD') }),
  shipments: z.array(z.object({ shipmentId: carrierCode, items: Items })),
})

export function parseOrder(response: CarrierResponse): Outcome<Lodged> {
  return reader.readCreate(response, z.object({ order: Order }), ({ order }) => lodgedOf(order))
}

/**
 * The first order that a look-up lists, or null if the list is empty. An order that we can't read leaves the
 * outcome unknown.
 */
export function parseFoundOrder(response: CarrierResponse): Outcome<Lodged | null> {
  return reader.read(response, z.object({ orders: z.array(Order) }), ({ orders }) =>
    orders[0] ? lodgedOf(orders[0]) : null,
  )
}

function lodgedOf({ orderId, summary, shipments }: z.output<typeof Order>): Lodged {
  const articles = new Map(shipments.map(({ shipmentId, items }) => [shipmentId, articlesOf(items)]))
  return { orderId, costCents: summary.totalCost, articles }
}
