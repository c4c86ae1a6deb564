import { z } from 'zod'
import { carrierWord, dollarsAsCents, understood } from '../answer.ts'
import type { Lodged, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { IN_AN_ORDER, readReply, refusalsOf } from './refusals.ts'

const Order = z.object({
  order: z.object({
    order_id: carrierWord,
    order_reference: z.string().optional(),
    order_summary: z.object({ total_cost: dollarsAsCents }),
  }),
})

/** Articles keep the ids that they were booked with, so an order names none anew. */
export function parseOrder(response: CarrierResponse): Outcome<Lodged> {
  return readReply(response, ({ body }) =>
    understood(Order, body, ({ order }) => ({
      orderId: order.order_id,
      costCents: order.order_summary.total_cost,
      articles: new Map(),
    })),
  )
}

/** The order if it is the one made under our key, else null: it is somebody else's. */
export function parseOwnOrder(response: CarrierResponse, key: string): Outcome<Lodged | null> {
  const lodged = parseOrder(response)
  if (lodged.kind !== 'yes' || response.kind !== 'answered') return lodged
  return Order.parse(response.body).order.order_reference === key ? lodged : { kind: 'yes', value: null }
}

/** A shipment is in an order already: in ours, whose answer got lost, or in another. */
export function isInAnOrder(response: CarrierResponse): boolean {
  if (response.kind !== 'answered' || response.status < 400) return false
  return refusalsOf(response.body).some(({ code }) => code === IN_AN_ORDER)
}
