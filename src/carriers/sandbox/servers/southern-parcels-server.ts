import { z } from 'zod'
import { formatIssues } from '../../../domain/account/validation/shape-mistakes.ts'
import { cancelBooking } from '../engine/cancel-booking.ts'
import { type Step, updatesBy } from '../engine/progress.ts'
import { chargeCents } from '../engine/scenario.ts'
import { answered, type SandboxServer, type Visit } from '../engine/server.ts'
import { articleIds, takeBooking } from '../engine/take-booking.ts'
import { createOrder, findOrders } from './southern-parcels-orders.ts'
import { planOf, type Shipment, ShipmentsRequest, southernPlan } from './southern-parcels-request.ts'

/** The scans so far of several shipments; an unknown id fails only for itself. */
async function track(visit: Visit) {
  const ids = (visit.query.get('ids') ?? '').split(',').filter((id) => id !== '')
  if (ids.length > MAX_TRACKED) {
    return answered(400, { errors: [{ code: '45002', message: `At most ${MAX_TRACKED} ids.` }] })
  }

  const consignments = await visit.store.listByNumber(visit.accountId, visit.carrier, ids)
  const nowMs = visit.nowMs()
  const results = ids.map((id) => {
    const found = consignments.find(({ consignmentNumber }) => consignmentNumber === id)
    if (!found) return { trackingId: id, errors: [{ code: '45004', message: 'Unknown tracking id.' }] }
    const events = updatesBy(nowMs, found, southernPlan(found.request)).map((event) => ({
      eventId: `${id}-${event.id}`,
      code: SCANS[event.step][0],
      description: SCANS[event.step][1],
      date: new Date(event.atMs).toISOString(),
    }))
    return { trackingId: id, events }
  })
  return answered(200, { trackingResults: results })
}

const MAX_TRACKED = 10

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

/**
 * Network post, with its own API key header, lists of shipments and numeric error codes. Every POST makes a
 * new shipment; a shipment can be looked up by reference, but only some time after it was made.
 */
export const SOUTHERN_PARCELS: SandboxServer = {
  routes: [
    { method: 'POST', path: /^\/shipping\/v1\/shipments$/, answer: createShipment },
    { method: 'GET', path: /^\/shipping\/v1\/shipments$/, answer: findShipments },
    { method: 'DELETE', path: /^\/shipping\/v1\/shipments\/(?<id>[^/]+)$/, answer: deleteShipment },
    { method: 'PUT', path: /^\/shipping\/v1\/orders$/, answer: createOrder },
    { method: 'GET', path: /^\/shipping\/v1\/orders$/, answer: findOrders },
    { method: 'GET', path: /^\/shipping\/v1\/track$/, answer: track },
    { method: 'GET', path: /^\/shipping\/v1\/runs\/next$/, answer: nextRun },
  ],
  apiKeyOf: (headers) => headers['x-api-key'],
  refuse,
}

const LOOK_UP_LAG_MS = 2_000
const RUN_EVERY_MS = 2 * 3_600_000

async function createShipment(visit: Visit) {
  const request = ShipmentsRequest.safeParse(visit.body)
  if (!request.success)
    return refuse(400, '40001', formatIssues(ShipmentsRequest, visit.body, request.error.issues))

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
    booked: (shipment) => answered(201, { shipments: [shipment] }),
    rejected: () => refuse(400, '51101', 'The product is not available between these suburbs.'),
    mismatched: null,
  })
}

function shipmentOf(shipmentId: string, shipment: Shipment) {
  const { shipmentReference, customerReference, contractPrice, items } = shipment
  const ids = articleIds(shipmentId, items.length)
  const agreedCents = contractPrice === undefined ? null : Math.round(contractPrice * 100)
  const totalKg = items.reduce((kg, item) => kg + item.weight, 0)
  return {
    shipmentId,
    shipmentReference,
    items: items.map(({ lineNumber, itemReference }, index) => ({
      lineNumber,
      itemReference,
      articleId: ids[index],
    })),
    summary: { totalCost: chargeCents(customerReference, agreedCents, totalKg) / 100, currency: 'AUD' },
  }
}

async function findShipments(visit: Visit) {
  const { accountId, carrier, store } = visit
  const reference = visit.query.get('reference') ?? ''
  const shipments = await store.listByReference(accountId, carrier, reference)
  const seen = shipments.filter(({ findable, cancelledAtMs }) => findable && cancelledAtMs === null)
  await store.record({
    accountId,
    atMs: visit.nowMs(),
    carrier,
    operation: 'find',
    reference: shipments[0]?.merchantReference ?? reference,
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
      return refuse(400, '44022', `Shipment ${id} is in an order or has been picked up.`)
    case 'already_cancelled':
      return refuse(410, '44010', `Shipment ${id} has been deleted.`)
    case 'cancelled':
      return answered(204, null)
  }
}

/** The first run from now on, or from when the parcels are ready (`from`). */
async function nextRun({ query, nowMs }: Visit) {
  const from = z.iso
    .datetime()
    .optional()
    .safeParse(query.get('from') ?? undefined)
  if (!from.success) return refuse(400, '40001', 'from is not a date and time in UTC.')
  const fromMs = Math.max(nowMs(), from.data === undefined ? 0 : Date.parse(from.data))
  const run = Math.ceil(fromMs / RUN_EVERY_MS) * RUN_EVERY_MS
  return answered(200, { nextRun: new Date(run).toISOString() })
}

function refuse(status: number, code: string, message: string) {
  return answered(status, { errors: [{ code, message }] })
}
