import { z } from 'zod'
import { formatIssues } from '../../../domain/account/validation/shape-mistakes.ts'
import { lodgeOrder } from '../engine/lodge-order.ts'
import type { SandboxConsignment } from '../engine/sandbox-store.ts'
import { answered, type Visit } from '../engine/server.ts'

const OrderRequest = z.looseObject({
  orderReference: z.string().min(1).max(50),
  shipments: z.array(z.looseObject({ shipmentId: z.string().min(1) })).min(1),
})

/** The response to a shipment when it was made. */
type ShipmentResponse = { items: unknown[]; summary: { totalCost: number } }

const LOOK_UP_LAG_MS = 2_000

/** Orders shipments that are handed over together. From then on they are charged and can't be deleted. */
export async function createOrder(visit: Visit) {
  const request = OrderRequest.safeParse(visit.body)
  if (!request.success) return refuse('40001', formatIssues(OrderRequest, visit.body, request.error.issues))

  const { orderReference, shipments } = request.data
  return lodgeOrder(visit, {
    reference: orderReference,
    consignmentNumbers: shipments.map(({ shipmentId }) => shipmentId),
    prefix: 'SPO',
    findableAfterMs: LOOK_UP_LAG_MS,
    once: true,
    answer: (orderId, shipments) => orderOf(orderId, orderReference, shipments),
    lodged: (order) => answered(201, { order }),
    rejected: () => refuse('51109', 'The contract does not allow orders today.'),
    refused: (ids) =>
      refuse('44016', `These shipments do not exist or are in an order: ${ids.slice(0, 20).join(', ')}.`),
  })
}

export async function findOrders(visit: Visit) {
  const { accountId, carrier, store } = visit
  const reference = visit.query.get('reference') ?? ''
  const seen = (await store.listOrders(accountId, carrier, reference)).filter(({ findable }) => findable)
  await store.record({
    accountId,
    atMs: visit.nowMs(),
    carrier,
    operation: 'find',
    reference,
    idempotencyKey: reference,
    outcome: seen.length > 0 ? 'found' : 'not_found',
    consignmentNumber: seen[0]?.orderId ?? null,
  })
  return answered(200, { orders: seen.map(({ answer }) => answer) })
}

function orderOf(orderId: string, orderReference: string, consignments: readonly SandboxConsignment[]) {
  const shipments = consignments.map(({ consignmentNumber, answer }) => {
    const { items, summary } = answer as ShipmentResponse
    return { shipmentId: consignmentNumber, items, totalCost: summary.totalCost }
  })
  return {
    orderId,
    orderReference,
    summary: {
      totalCost: Math.round(shipments.reduce((sum, { totalCost }) => sum + totalCost, 0) * 100) / 100,
      currency: 'AUD',
      numberOfShipments: shipments.length,
      numberOfItems: shipments.reduce((sum, { items }) => sum + items.length, 0),
    },
    shipments: shipments.map(({ shipmentId, items }) => ({ shipmentId, items })),
  }
}

function refuse(code: string, message: string) {
  return answered(400, { errors: [{ code, message }] })
}
