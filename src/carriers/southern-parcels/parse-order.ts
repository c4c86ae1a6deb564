import { z } from 'zod'
import { carrierWord, dollarsAsCents, readAnswer, understood } from '../answer.ts'
import type { Lodged, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { articlesOf, Items, refusal } from './parse.ts'

const Order = z.object({
  orderId: carrierWord,
  summary: z.object({ totalCost: dollarsAsCents, currency: z.literal('AUD') }),
  shipments: z.array(z.object({ shipmentId: carrierWord, items: Items })),
})

export function parseOrder(response: CarrierResponse): Outcome<Lodged> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) {
      const { code, said } = refusal(body)
      if (code === null) return { kind: 'unknown', said }
      return { kind: 'no', cure: code === 'unauthorised' ? 'later' : 'nobody', said }
    }
    return understood(z.object({ order: Order }), body, ({ order }) => lodgedOf(order))
  })
}

/** The first order that a look-up lists, or null for none. One we cannot read is unknown, not none. */
export function parseFoundOrder(response: CarrierResponse): Outcome<Lodged | null> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) return { kind: 'no', cure: 'later', said: refusal(body).said }
    return understood(z.object({ orders: z.array(Order) }), body, ({ orders }) =>
      orders[0] ? lodgedOf(orders[0]) : null,
    )
  })
}

function lodgedOf({ orderId, summary, shipments }: z.output<typeof Order>): Lodged {
  const articles = new Map(shipments.map(({ shipmentId, items }) => [shipmentId, articlesOf(items)]))
  return { orderId, costCents: summary.totalCost, articles }
}
