import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { kilometresBetween, type Place } from '../places.ts'
import { type Address, readAddress } from './address.ts'
import { iso } from './delivery.ts'
import { type RefusalCode, refuse } from './errors.ts'
import { isOnTheMap } from './map.ts'
import { readRequest } from './read-request.ts'
import { QuoteRequest } from './requests.ts'
import { newToken, type UberState } from './state.ts'
import { brokenWindowRule, type Windows, windowsMs } from './windows.ts'

const QUOTE_LIFE_MS = 15 * 60_000
const MINUTE_MS = 60_000
/** Made up: Uber's prices and coverage differ by city and contract. */
const BASE_CENTS = 750
const CENTS_A_KM = 120
const MAX_KM = 16
const PICKUP_MINUTES = 12
const MINUTES_A_KM = 3
const DEADLINE_AFTER_ETA_MS = 35 * MINUTE_MS
const KM_A_MILE = 1.609344

/** `POST …/delivery_quotes`. */
export function createQuote(state: UberState, request: FakeRequest): FakeAnswer {
  const read = readRequest(request, QuoteRequest)
  if (!read.ok) return read.answer
  const asked = read.value
  const trip = readTrip(state, asked)
  if (!trip.ok) return trip.answer

  const { clock, ledger } = state.server
  const nowMs = clock.nowMs()
  const token = newToken()
  const quote = {
    id: `dqt_${token}`,
    token,
    expiresMs: nowMs + QUOTE_LIFE_MS,
    feeCents: feeCents(trip.kilometres),
    pickup: trip.pickup,
    dropoff: trip.dropoff,
    externalStoreId: asked.external_store_id ?? null,
    used: false,
  }
  state.quotes.set(quote.id, quote)
  ledger.write('quote_created', { quote_id: quote.id, fee: quote.feeCents })
  const minutes = PICKUP_MINUTES + Math.ceil(trip.kilometres * MINUTES_A_KM)
  const startMs = Math.max(nowMs, Date.parse(asked.pickup_ready_dt ?? iso(nowMs)))
  const etaMs = startMs + minutes * MINUTE_MS
  return {
    status: 200,
    body: {
      kind: 'delivery_quote',
      id: quote.id,
      created: iso(nowMs),
      expires: iso(quote.expiresMs),
      fee: quote.feeCents,
      currency: 'aud',
      currency_type: 'AUD',
      dropoff_eta: iso(etaMs),
      duration: Math.round((etaMs - nowMs) / MINUTE_MS),
      pickup_duration: Math.round((startMs - nowMs) / MINUTE_MS) + PICKUP_MINUTES,
      dropoff_deadline: asked.dropoff_deadline_dt ?? iso(etaMs + DEADLINE_AFTER_ETA_MS),
      ...(quote.externalStoreId === null ? {} : { external_store_id: quote.externalStoreId }),
    },
  }
}

export function feeCents(kilometres: number): number {
  return BASE_CENTS + Math.round(kilometres * CENTS_A_KM)
}

type Where = Windows & {
  pickup_address: string
  dropoff_address: string
  pickup_latitude?: number | undefined
  pickup_longitude?: number | undefined
  dropoff_latitude?: number | undefined
  dropoff_longitude?: number | undefined
}

/** Whether Uber would deliver there then: the check for quotes and deliveries. */
export function readTrip(
  { server, couriers, unknownPlace }: UberState,
  asked: Where,
): { ok: true; pickup: Address; dropoff: Address; kilometres: number } | { ok: false; answer: FakeAnswer } {
  const pickup = readAddress(asked.pickup_address, place(asked.pickup_latitude, asked.pickup_longitude))
  const dropoff = readAddress(asked.dropoff_address, place(asked.dropoff_latitude, asked.dropoff_longitude))
  const isKnown = [asked.pickup_address, asked.dropoff_address].every((one) =>
    isOnTheMap({ unknownPlace }, one),
  )
  if (!pickup || !dropoff || !isKnown) return { ok: false, answer: refuse('unknown_location') }

  const broken = brokenWindowRule(windowsMs(asked), server.clock.nowMs())
  if (broken) return { ok: false, answer: refuse(broken) }

  const kilometres = kilometresBetween(pickup.place, dropoff.place)
  if (kilometres > MAX_KM) {
    const miles = (km: number) => (km / KM_A_MILE).toFixed(2)
    const details = `Max Radius: ${miles(MAX_KM)} miles, Calculated Distance: ${miles(kilometres)} miles`
    return { ok: false, answer: refuse('address_undeliverable', { details }) }
  }
  if (couriers.busy !== null) return { ok: false, answer: refuse(couriers.busy as RefusalCode) }
  return { ok: true, pickup, dropoff, kilometres }
}

function place(lat: number | undefined, lng: number | undefined): Place | null {
  return lat === undefined || lng === undefined ? null : { lat, lng }
}
