import { z } from 'zod'
import { cancelBooking } from './cancel-booking.ts'
import { newsBy, type Plan } from './journey.ts'
import { articleIds } from './numbers.ts'
import type { Step } from './progress.ts'
import { answered, type SandboxServer, type Visit } from './server.ts'
import { takeBooking } from './take-booking.ts'
import { chargeCents } from './tariff.ts'

/**
 * Network post. Its own header for the key, lists of shipments, errors with numbers. Every POST makes a new
 * shipment; one can be looked up by reference, but only some time after it was made.
 */
export const SOUTHERN_PARCELS: SandboxServer = {
  routes: [
    { method: 'POST', path: /^\/shipping\/v1\/shipments$/, answer: createShipment },
    { method: 'GET', path: /^\/shipping\/v1\/shipments$/, answer: findShipments },
    { method: 'DELETE', path: /^\/shipping\/v1\/shipments\/(?<id>[^/]+)$/, answer: deleteShipment },
    { method: 'GET', path: /^\/shipping\/v1\/track$/, answer: track },
    { method: 'GET', path: /^\/shipping\/v1\/runs\/next$/, answer: nextRun },
  ],
  apiKeyOf: (headers) => headers['x-api-key'],
  refuse,
}

const LOOK_UP_LAG_MS = 2_000
const MOST_TRACKED = 10
const RUN_EVERY_MS = 2 * 3_600_000

const SCANS: Readonly<Record<Step, readonly [code: string, description: string]>> = {
  assigned: ['MAN-0', 'Shipment information received'],
  approaching: ['MAN-1', 'Driver on the way to sender'],
  collected: ['COL-1', 'Picked up from sender'],
  in_transit: ['TRN-1', 'In transit'],
  out_for_delivery: ['ONB-1', 'On board for delivery'],
  delivered: ['DLV-1', 'Delivered'],
  damaged: ['EXC-4', 'Damaged in transit'],
  refused: ['EXC-7', 'Refused by receiver'],
  pending_return: ['RTS-1', 'Returning to sender'],
  returned: ['RTS-9', 'Returned to sender'],
  cancelled: ['CAN-1', 'Shipment deleted'],
}

const Shipment = z.looseObject({
  shipmentReference: z.string().min(1).max(50),
  customerReference: z.string().min(1),
  productId: z.string().min(1),
  dispatchFrom: z.iso.datetime(),
  deliverFrom: z.iso.datetime(),
  deliverTo: z.iso.datetime(),
  from: z.looseObject({ name: z.string().min(1), postcode: z.string().regex(/^\d{4}$/) }),
  to: z.looseObject({ name: z.string().min(1), postcode: z.string().regex(/^\d{4}$/) }),
  items: z
    .array(
      z.looseObject({
        lineNumber: z.int().positive(),
        itemReference: z.string(),
        weight: z.number().positive(),
      }),
    )
    .min(1),
})
type Shipment = z.output<typeof Shipment>
const ShipmentsRequest = z.object({ shipments: z.tuple([Shipment]) })

function southernPlan(request: unknown): Plan {
  return planOf(ShipmentsRequest.parse(request).shipments[0])
}

function planOf(shipment: Shipment): Plan {
  return {
    by: 'network',
    readyAtMs: Date.parse(shipment.dispatchFrom),
    window: { fromMs: Date.parse(shipment.deliverFrom), toMs: Date.parse(shipment.deliverTo) },
  }
}

async function createShipment(visit: Visit) {
  const request = ShipmentsRequest.safeParse(visit.body)
  if (!request.success) return refuse(400, '40001', z.prettifyError(request.error))

  const [shipment] = request.data.shipments
  return takeBooking(visit, {
    reference: shipment.shipmentReference,
    idempotencyKey: null,
    merchantReference: shipment.customerReference,
    plan: planOf(shipment),
    prefix: 'SP',
    findableAfterMs: LOOK_UP_LAG_MS,
    pushes: false,
    noticesRepeats: true,
    answer: (id) => shipmentOf(id, shipment),
    booked: (made) => answered(201, { shipments: [made] }),
    rejected: () => refuse(400, '51101', 'The product is not available between these suburbs.'),
    mismatched: null,
  })
}

function shipmentOf(shipmentId: string, { shipmentReference, productId, items }: Shipment) {
  const ids = articleIds(shipmentId, items.length)
  const totalKg = items.reduce((kg, item) => kg + item.weight, 0)
  return {
    shipmentId,
    shipmentReference,
    items: items.map(({ lineNumber, itemReference }, index) => ({
      lineNumber,
      itemReference,
      articleId: ids[index],
    })),
    summary: { totalCost: chargeCents(productId, totalKg) / 100, currency: 'AUD' },
  }
}

async function findShipments(visit: Visit) {
  const { accountId, carrier, store } = visit
  const reference = visit.query.get('reference') ?? ''
  const made = await store.listByReference(accountId, carrier, reference)
  const seen = made.filter(({ findable, cancelledAtMs }) => findable && cancelledAtMs === null)
  await store.record({
    accountId,
    atMs: visit.nowMs(),
    carrier,
    operation: 'find',
    reference: made[0]?.merchantReference ?? reference,
    idempotencyKey: reference,
    outcome: seen.length > 0 ? 'found' : 'not_found',
    consignmentNumber: seen[0]?.consignmentNumber ?? null,
  })
  return answered(200, { shipments: seen.map(({ answer }) => answer) })
}

async function deleteShipment(visit: Visit) {
  const id = visit.path.id ?? ''
  switch (await cancelBooking(visit, id, southernPlan)) {
    case 'not_found':
      return refuse(404, '44004', `Shipment ${id} does not exist.`)
    case 'refused':
      return refuse(400, '44022', `Shipment ${id} has been picked up.`)
    case 'already_cancelled':
      return refuse(410, '44010', `Shipment ${id} has been deleted.`)
    case 'cancelled':
      return answered(204, null)
  }
}

async function track(visit: Visit) {
  const ids = (visit.query.get('ids') ?? '').split(',').filter((id) => id !== '')
  if (ids.length > MOST_TRACKED) return refuse(400, '45002', `At most ${MOST_TRACKED} ids may be tracked.`)

  const consignments = await visit.store.listByNumber(visit.accountId, visit.carrier, ids)
  const nowMs = visit.nowMs()
  const results = ids.map((id) => {
    const found = consignments.find(({ consignmentNumber }) => consignmentNumber === id)
    if (!found) return { trackingId: id, errors: [{ code: '45004', message: 'Unknown tracking id.' }] }
    const events = newsBy(nowMs, found, southernPlan(found.request)).map((event) => ({
      eventId: `${id}-${event.id}`,
      code: SCANS[event.step][0],
      description: SCANS[event.step][1],
      date: new Date(event.atMs).toISOString(),
    }))
    return { trackingId: id, events }
  })
  return answered(200, { trackingResults: results })
}

async function nextRun(visit: Visit) {
  const run = Math.ceil(visit.nowMs() / RUN_EVERY_MS) * RUN_EVERY_MS
  return answered(200, { nextRun: new Date(run).toISOString() })
}

function refuse(status: number, code: string, message: string) {
  return answered(status, { errors: [{ code, message }] })
}
