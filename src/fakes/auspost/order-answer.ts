import { instantWords } from './moments.ts'
import { totalWords } from './prices.ts'
import { shipmentAnswer } from './shipment-answer.ts'
import { trackingSummary } from './tracking.ts'
import type { Order, World } from './world.ts'

/** `sealed`: the response that creates the order, before anything has happened to its parcels. */
export function orderAnswer(world: World, order: Order, sealed: boolean) {
  const { shipments } = order
  const items = shipments.flatMap((shipment) => shipment.items)
  const methods: Record<string, number> = {}
  for (const { product } of items) methods[product.productId] = (methods[product.productId] ?? 0) + 1
  const totalKg = items.reduce((sum, { measures }) => sum + measures.weightKg, 0)
  return {
    order_id: order.orderId,
    ...(order.reference === null ? {} : { order_reference: order.reference }),
    order_creation_date: instantWords(order.createdMs),
    order_summary: {
      ...totalWords(costCents(order)),
      status: 'Initiated',
      tracking_summary: sealed ? { Sealed: items.length } : trackingSummary(shipments, world.clock.nowMs()),
      number_of_shipments: shipments.length,
      number_of_items: items.length,
      dangerous_goods_included: items.some(({ dangerousGoods }) => dangerousGoods),
      total_weight: Math.round(totalKg * 1_000) / 1_000,
      shipping_methods: methods,
    },
    shipments: shipments.map((shipment) => shipmentAnswer(world, shipment, { sealed, parties: !sealed })),
    payment_method: 'CHARGE_TO_ACCOUNT',
    ...(order.consignor === null ? {} : { consignor: order.consignor }),
  }
}

export function costCents({ shipments }: Order): number {
  return shipments.reduce((sum, { cost }) => sum + cost.totalCents, 0)
}
