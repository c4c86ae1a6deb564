import { randomInt, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { type Delivery, deliveryJson } from './delivery.ts'
import { duplicateDelivery, invalidFields, unknownDelivery } from './errors.ts'
import { courierPlan, startJourney } from './journey.ts'
import { readRequest } from './read-request.ts'
import { AcceptRequest, DeliveryRequest, QuoteRequest } from './requests.ts'
import type { DoorDashState } from './state.ts'
import { feeCents, readTrip } from './trip.ts'

const QUOTE_LIFE_MS = 5 * 60_000

/** `POST /drive/v2/quotes`. */
export function createQuote(state: DoorDashState, request: FakeRequest): FakeAnswer {
  return take(state, request, 'quote')
}

/** `POST /drive/v2/deliveries`. */
export function createDelivery(state: DoorDashState, request: FakeRequest): FakeAnswer {
  return take(state, request, 'created')
}

function take(state: DoorDashState, request: FakeRequest, status: 'quote' | 'created'): FakeAnswer {
  const { clock, ledger, url } = state.server
  const read = readRequest(request, status === 'quote' ? QuoteRequest : DeliveryRequest)
  if (!read.ok) return read.answer
  const asked = read.value
  const id = asked.external_delivery_id
  const nowMs = clock.nowMs()
  const known = state.deliveries.get(id)
  if (known) {
    ledger.write('delivery_repeated', { external_delivery_id: id })
    const same =
      (known.status === 'quote') === (status === 'quote') && isDeepStrictEqual(known.request, asked)
    if (state.repeats === 'replayed' && same) return { status: 200, body: deliveryJson(known, nowMs) }
    return duplicateDelivery(id)
  }
  const found = readTrip(asked, nowMs)
  if (!found.ok) return found.answer

  const delivery: Delivery = {
    id,
    request: asked,
    status,
    feeCents: feeCents(found.trip),
    createdMs: nowMs,
    updatedMs: nowMs,
    acceptableUntilMs: nowMs + QUOTE_LIFE_MS,
    supportReference: String(randomInt(1_000_000_000, 9_999_999_999)),
    trackingId: randomUUID(),
    pickup: found.trip.pickup,
    dropoff: found.trip.dropoff,
    leg: null,
    ...courierPlan(asked, nowMs),
    pickedUpMs: null,
    droppedOffMs: null,
    returnEtaMs: null,
    returnedMs: null,
    cancellation: null,
    url: url(),
  }
  state.deliveries.set(id, delivery)
  ledger.write(status === 'quote' ? 'quote_created' : 'delivery_created', facts(delivery))
  if (status === 'created') startJourney(state, delivery)
  return { status: 200, body: deliveryJson(delivery, nowMs) }
}

/** `POST /drive/v2/quotes/{external_delivery_id}/accept`. */
export function acceptQuote(state: DoorDashState, request: FakeRequest): FakeAnswer {
  const { clock, ledger } = state.server
  const id = request.params.id ?? ''
  const nowMs = clock.nowMs()
  const delivery = state.deliveries.get(id)
  if (!delivery) return unknownDelivery(id)
  const read = readRequest(request, AcceptRequest, { mayBeEmpty: true })
  if (!read.ok) return read.answer
  if (delivery.status !== 'quote') {
    ledger.write('delivery_repeated', { external_delivery_id: id })
    return state.repeats === 'replayed'
      ? { status: 200, body: deliveryJson(delivery, nowMs) }
      : duplicateDelivery(id)
  }
  if (delivery.acceptableUntilMs <= nowMs) {
    return invalidFields([{ field: 'external_delivery_id', error: 'Quote has expired' }])
  }
  const accepted = { ...delivery.request, ...read.value }
  if (accepted.dropoff_phone_number === undefined) {
    return invalidFields([{ field: 'dropoff_phone_number', error: 'Required' }])
  }
  Object.assign(delivery, { request: accepted, status: 'created', createdMs: nowMs, updatedMs: nowMs })
  Object.assign(delivery, courierPlan(accepted, nowMs))
  ledger.write('delivery_created', facts(delivery))
  startJourney(state, delivery)
  return { status: 200, body: deliveryJson(delivery, nowMs) }
}

function facts({ id, feeCents }: Delivery) {
  return { external_delivery_id: id, fee: feeCents }
}
