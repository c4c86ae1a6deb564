import { z } from 'zod'
import { carrierCode, dollarsAsCents } from '../../kit/answer.ts'
import type { Lodged, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { articlesOf, Items } from './parse.ts'
import { reader } from './refusals.ts'

const Order = z.object({
  orderId: carrierCode,
  summary: z.object({ totalCost: dollarsAsCents, currency: z.literal('AUD') }),
  shipments: z.array(z.object({ shipmentId: carrierCode, items: Items })),
})

export function parseOrder(response: CarrierResponse): Outcome<Lodged> {
  return reader.read(response, z.object({ order: Order }), ({ order }) => lodgedOf(order))
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
