import { z } from 'zod'
import { formatIssues } from '../../../domain/account/validation/shape-mistakes.ts'
import { cancelBooking } from '../engine/cancel-booking.ts'
import { type Plan, type Step, updatesBy } from '../engine/progress.ts'
import { chargeCents } from '../engine/scenario.ts'
import { answered, type SandboxServer, type Visit } from '../engine/server.ts'
import { articleIds, takeBooking } from '../engine/take-booking.ts'
import { manifest } from './big-haul-manifests.ts'

/**
 * Freight, with an older API: it always answers 200 and puts the result in the body. Every POST books; there
 * is no look-up.
 */
export const BIG_HAUL: SandboxServer = {
  routes: [
    { method: 'POST', path: /^\/bookings$/, answer: book },
    { method: 'POST', path: /^\/bookings\/(?<connote>[^/]+)\/cancel$/, answer: cancel },
    { method: 'POST', path: /^\/manifests$/, answer: manifest },
    { method: 'GET', path: /^\/scans$/, answer: scans },
  ],
  apiKeyOf: (headers) => /^Token (.+)$/.exec(headers.authorization ?? '')?.[1],
  refuse: (status, code, message) => answered(status, { Result: 'FAIL', Reason: code, Message: message }),
}

const SCANS: Readonly<Record<Step, string>> = {
  assigned: 'ALLOCATED',
  approaching: 'EN ROUTE',
  collected: 'PICKUP',
  in_transit: 'LINEHAUL',
  out_for_delivery: 'ON FOR DELIVERY',
  delivered: 'POD',
  damaged: 'DAMAGED',
  refused: 'REFUSED',
  pending_return: 'RTS',
  returned: 'RETURNED',
  cancelled: 'CANCELLED',
}

const BookingRequest = z.looseObject({
  YourRef: z.string().min(1),
  OrderNumber: z.string().min(1),
  Service: z.string().min(1),
  AgreedCents: z.int().nonnegative().optional(),
  ReadyAt: z.iso.datetime(),
  DeliverFrom: z.iso.datetime(),
  DeliverBy: z.iso.datetime(),
  Sender: z.looseObject({ Name: z.string().min(1), Postcode: z.string().regex(/^\d{4}$/) }),
  Receiver: z.looseObject({ Name: z.string().min(1), Postcode: z.string().regex(/^\d{4}$/) }),
  Lines: z
    .array(z.looseObject({ Ref: z.string(), Qty: z.int().positive(), KgEach: z.number().positive() }))
    .min(1),
})
type BookingRequest = z.output<typeof BookingRequest>

function bigHaulPlan(request: unknown): Plan {
  return planOf(BookingRequest.parse(request))
}

function planOf({ ReadyAt, DeliverFrom, DeliverBy }: BookingRequest): Plan {
  return {
    by: 'network',
    readyAtMs: Date.parse(ReadyAt),
    window: { fromMs: Date.parse(DeliverFrom), toMs: Date.parse(DeliverBy) },
  }
}

async function book(visit: Visit) {
  const booking = BookingRequest.safeParse(visit.body)
  if (!booking.success)
    return fail('BAD_REQUEST', formatIssues(BookingRequest, visit.body, booking.error.issues))

  return takeBooking(visit, {
    reference: booking.data.YourRef,
    idempotencyKey: null,
    merchantReference: booking.data.OrderNumber,
    plan: planOf(booking.data),
    prefix: 'BH',
    findableAfterMs: 0,
    pushes: false,
    noticesRepeats: false,
    answer: (connote) => connoteOf(connote, booking.data),
    booked: (connote) => answered(200, connote),
    rejected: () => fail('NO_DEPOT', 'We have no depot for this lane.'),
    mismatched: null,
  })
}

function connoteOf(ConNote: string, { OrderNumber, AgreedCents, Lines }: BookingRequest) {
  const totalKg = Lines.reduce((kg, line) => kg + line.KgEach * line.Qty, 0)
  let first = 1
  const labels = Lines.map(({ Ref, Qty }) => {
    const Barcodes = articleIds(ConNote, Qty, first)
    first += Qty
    return { Ref, Barcodes }
  })
  return {
    Result: 'OK',
    ConNote,
    ChargeCents: chargeCents(OrderNumber, AgreedCents ?? null, totalKg),
    Labels: labels,
  }
}

async function cancel(visit: Visit) {
  const connote = visit.path.connote ?? ''
  switch (await cancelBooking(visit, connote, bigHaulPlan)) {
    case 'not_found':
      return fail('NOT_FOUND', `No connote ${connote}.`)
    case 'refused':
      return fail('COLLECTED', `Connote ${connote} is manifested or on the truck.`)
    case 'already_cancelled':
      return fail('ALREADY_CANCELLED', `Connote ${connote} is cancelled.`)
    case 'cancelled':
      return answered(200, { Result: 'OK', ConNote: connote })
  }
}

async function scans(visit: Visit) {
  const connotes = (visit.query.get('connotes') ?? '').split(',').filter((connote) => connote !== '')
  const nowMs = visit.nowMs()
  const consignments = await visit.store.listByNumber(visit.accountId, visit.carrier, connotes)
  const Scans = consignments.flatMap((consignment) =>
    updatesBy(nowMs, consignment, bigHaulPlan(consignment.request)).map(({ step, atMs }) => ({
      ConNote: consignment.consignmentNumber,
      Scan: SCANS[step],
      When: new Date(atMs).toISOString(),
    })),
  )
  return answered(200, { Result: 'OK', Scans })
}

function fail(reason: string, message: string) {
  return answered(200, { Result: 'FAIL', Reason: reason, Message: message })
}
