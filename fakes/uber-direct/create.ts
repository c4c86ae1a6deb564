import { randomInt } from 'node:crypto'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import type { Address } from './address.ts'
import { type Delivery, deliveryJson, isComplete, type Waypoint } from './delivery.ts'
import { type RefusalCode, refuse } from './errors.ts'
import { courierPlan, startJourney } from './journey.ts'
import { feeCents, readTrip } from './quotes.ts'
import { readRequest } from './read-request.ts'
import { DeliveryRequest, type Verification } from './requests.ts'
import { newToken, type Quote, type UberState } from './state.ts'

/** "A set time frame, defaulting to 60 minutes" in the OpenAPI document; older tables say six hours. */
const KEY_LIFE_MS = 60 * 60_000

/** `POST …/deliveries`. */
export function createDelivery(state: UberState, request: FakeRequest): FakeAnswer {
  const { clock, ledger, url } = state.server
  const read = readRequest(request, DeliveryRequest)
  if (!read.ok) return read.answer
  const asked = read.value
  const nowMs = clock.nowMs()

  const twin = findTwin(state, asked, nowMs)
  if (twin) {
    ledger.write('delivery_repeated', { delivery_id: twin.id, external_id: asked.external_id ?? null })
    if (state.repeats === 'replayed') return { status: 200, body: deliveryJson(twin, nowMs) }
    return refuse('duplicate_delivery', { delivery_id: twin.id })
  }
  const conflict = proofConflict(asked)
  if (conflict) return refuse('invalid_params', { param_details: conflict })
  const trip = readTrip(state, asked)
  if (!trip.ok) return trip.answer
  const quote = asked.quote_id === undefined ? null : state.quotes.get(asked.quote_id)
  if (quote === undefined) return refuse('invalid_params', { quote_id: 'The quote does not exist.' })
  const unfit = quote && unfitQuote(quote, asked, trip, nowMs)
  if (unfit) return refuse(unfit)
  if (quote) quote.used = true

  const token = quote?.token ?? newToken()
  const tipCents = asked.tip ?? 0
  const delivery: Delivery = {
    id: `del_${token}`,
    token,
    quoteId: quote?.id ?? null,
    request: asked,
    status: 'pending',
    imminent: false,
    createdMs: nowMs,
    updatedMs: nowMs,
    plan: courierPlan(asked, nowMs),
    pickup: waypoint(asked, 'pickup', trip.pickup),
    dropoff: waypoint(asked, 'dropoff', trip.dropoff),
    feeCents: (quote?.feeCents ?? feeCents(trip.kilometres)) + tipCents,
    tipCents,
    undeliverable: { action: '', reason: '' },
    related: null,
    cancelation: null,
    externalStoreId: asked.external_store_id ?? null,
    url: url(),
  }
  state.deliveries.set(delivery.id, delivery)
  if (asked.idempotency_key !== undefined) {
    state.keys.set(asked.idempotency_key, { deliveryId: delivery.id, untilMs: nowMs + KEY_LIFE_MS })
  }
  const pair = pairOf(asked)
  if (pair !== null) state.pairs.set(pair, delivery.id)
  ledger.write('delivery_created', {
    delivery_id: delivery.id,
    external_id: asked.external_id ?? null,
    manifest_reference: asked.manifest_reference ?? null,
    idempotency_key: asked.idempotency_key ?? null,
    fee: delivery.feeCents,
  })
  startJourney(state, delivery)
  return { status: 200, body: deliveryJson(delivery, nowMs) }
}

/**
 * Idempotency key: with a key, the key alone decides; without one, an active delivery with the same two
 * references.
 */
function findTwin(state: UberState, asked: DeliveryRequest, nowMs: number): Delivery | undefined {
  if (state.repeats === 'made_again') return undefined
  const key = asked.idempotency_key
  if (key !== undefined) {
    const known = state.keys.get(key)
    return known && known.untilMs > nowMs ? state.deliveries.get(known.deliveryId) : undefined
  }
  const pair = pairOf(asked)
  const other = pair === null ? undefined : state.deliveries.get(state.pairs.get(pair) ?? '')
  return other && !isComplete(other) ? other : undefined
}

function pairOf({ external_id, manifest_reference }: DeliveryRequest): string | null {
  if (external_id === undefined || manifest_reference === undefined) return null
  return JSON.stringify([external_id, manifest_reference])
}

function unfitQuote(
  quote: Quote,
  asked: DeliveryRequest,
  trip: { pickup: Address; dropoff: Address },
  nowMs: number,
): RefusalCode | null {
  if (quote.used) return 'used_quote'
  if (quote.expiresMs <= nowMs) return 'expired_quote'
  const same =
    quote.pickup.text === trip.pickup.text &&
    quote.dropoff.text === trip.dropoff.text &&
    quote.externalStoreId === (asked.external_store_id ?? null)
  return same ? null : 'mismatched_price_quote'
}

/**
 * Requirements that exclude each other: leave at the address, and hand over to a person. Null when there is
 * no conflict.
 */
function proofConflict(asked: DeliveryRequest): string | null {
  const required = asked.dropoff_verification ?? {}
  const signature = required.signature || required.signature_requirement?.enabled
  const person = signature || required.identification !== undefined
  if (asked.deliverable_action === 'deliverable_action_leave_at_door' && person) {
    return 'Leave at door cannot be combined with signature or identification.'
  }
  if (asked.undeliverable_action === 'leave_at_door' && (person || required.pincode?.enabled)) {
    return 'Undeliverable action leave_at_door cannot be combined with signature, pincode or identification.'
  }
  return null
}

function waypoint(asked: DeliveryRequest, end: 'pickup' | 'dropoff', address: Address): Waypoint {
  return {
    name: asked[`${end}_business_name`] ?? asked[`${end}_name`],
    phone: asked[`${end}_phone_number`],
    address,
    notes: asked[`${end}_notes`] ?? '',
    sellerNotes: end === 'dropoff' ? (asked.dropoff_seller_notes ?? '') : '',
    requirements: requirements(asked, asked[`${end}_verification`] ?? {}, end),
    done: null,
  }
}

/** Leaving a parcel always requires a photo; the PIN is created here. */
function requirements(asked: DeliveryRequest, verification: Verification, end: 'pickup' | 'dropoff') {
  const left =
    end === 'dropoff' &&
    (asked.deliverable_action === 'deliverable_action_leave_at_door' ||
      asked.undeliverable_action === 'leave_at_door')
  const { pincode, ...others } = verification
  return {
    ...others,
    ...(left ? { picture: true } : {}),
    ...(pincode?.enabled ? { pincode: { enabled: true, value: String(randomInt(1_000, 10_000)) } } : {}),
  }
}
