import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { picture } from '../picture.ts'
import { whyTooSoon } from './creation.ts'
import { type Delivery, deliveryJson, type Status } from './delivery.ts'
import { cancelNotAllowed, type TooLate, unknownDelivery, updateNotAllowed } from './errors.ts'
import { cancel } from './moves.ts'
import { readRequest } from './read-request.ts'
import { CancelRequest, QuoteRequest, UpdateRequest } from './requests.ts'
import { startReturn } from './return-trip.ts'
import type { DoorDashState } from './state.ts'
import { readTrip } from './trip.ts'

/** Why it is too late for a cancellation or a change; a status that is not listed still allows a change. */
const TOO_LATE: Readonly<Partial<Record<Status, TooLate>>> = {
  quote: 'delivery_creation_in_progress',
  picked_up: 'delivery_picked_up',
  enroute_to_dropoff: 'delivery_picked_up',
  arrived_at_dropoff: 'delivery_picked_up',
  enroute_to_return: 'delivery_picked_up',
  arrived_at_return: 'delivery_picked_up',
  delivered: 'delivery_completed',
  returned: 'delivery_completed',
  cancelled: 'delivery_cancelled',
}

/** `GET /drive/v2/deliveries/{external_delivery_id}`. */
export function getDelivery(state: DoorDashState, { params }: FakeRequest): FakeAnswer {
  return answerWith(state, params.id, (delivery, nowMs) => ({
    status: 200,
    body: deliveryJson(delivery, nowMs),
  }))
}

/** `PATCH /drive/v2/deliveries/{external_delivery_id}`, until the Dasher has it. */
export function updateDelivery(state: DoorDashState, request: FakeRequest): FakeAnswer {
  return answerWith(state, request.params.id, (delivery, nowMs) => {
    const read = readRequest(request, UpdateRequest)
    if (!read.ok) return read.answer
    const late = TOO_LATE[delivery.status]
    if (late) return updateNotAllowed(late)
    const changed = QuoteRequest.parse({ ...delivery.request, ...read.value })
    const found = readTrip(changed, nowMs)
    if (!found.ok) return found.answer

    const { pickup, dropoff } = found.trip
    Object.assign(delivery, { request: changed, pickup, dropoff, updatedMs: nowMs })
    const written = { external_delivery_id: delivery.id, fields: Object.keys(read.value) }
    state.server.ledger.write('delivery_updated', written)
    return { status: 200, body: deliveryJson(delivery, nowMs) }
  })
}

/** `PUT /drive/v2/deliveries/{external_delivery_id}/cancel`, until a Dasher is assigned. */
export function cancelDelivery(state: DoorDashState, request: FakeRequest): FakeAnswer {
  return answerWith(state, request.params.id, (delivery, nowMs) => {
    const read = readRequest(request, CancelRequest, { mayBeEmpty: true })
    if (!read.ok) return read.answer
    const { reason_code, should_create_return_delivery } = read.value
    const late = TOO_LATE[delivery.status]
    const coldChain = reason_code === 'cold_chain' && should_create_return_delivery === true
    if (late === 'delivery_picked_up' && coldChain && delivery.returnEtaMs === null) {
      startReturn(state, delivery, nowMs)
      return { status: 200, body: deliveryJson(delivery, nowMs) }
    }
    if (late) return cancelNotAllowed(late)
    const soon = whyTooSoon(state, delivery, nowMs)
    if (soon) return cancelNotAllowed(soon)
    if (delivery.status !== 'created') return cancelNotAllowed('cancellation_window_closed')
    cancel(state, delivery, 'cancelled_by_creator', nowMs)
    return { status: 200, body: deliveryJson(delivery, nowMs) }
  })
}

/** `POST /drive/v2/serviceability`. */
export function checkServiceability({ server }: DoorDashState, request: FakeRequest): FakeAnswer {
  const schema = QuoteRequest.partial({ external_delivery_id: true })
  const read = readRequest(request, schema)
  if (!read.ok) return read.answer
  const asked = { ...read.value, external_delivery_id: 'serviceability' }
  const found = readTrip(asked, server.clock.nowMs())
  if (found.ok) return { status: 200, body: { is_serviceable: true } }
  const { reason } = found.answer.body as { reason?: string }
  if (reason === undefined) return found.answer
  return { status: 200, body: { is_serviceable: false, reasons_not_serviceable: [reason] } }
}

/** `GET /pictures/{name}`: replaces the file host that deliveries link to. */
export function pictureFile({ params }: FakeRequest): FakeAnswer {
  return { status: 200, headers: { 'content-type': 'image/png' }, body: picture(params.name ?? '') }
}

function answerWith(
  { deliveries, server }: DoorDashState,
  id = '',
  answer: (delivery: Delivery, nowMs: number) => FakeAnswer,
): FakeAnswer {
  const delivery = deliveries.get(id)
  return delivery ? answer(delivery, server.clock.nowMs()) : unknownDelivery(id)
}
