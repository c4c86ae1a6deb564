import { setTimeout as after } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Carrier, Outcome, RateAsk } from '../../carriers/port/carrier.ts'
import type { Account, Service, Store } from '../../domain/account/account.ts'
import { type Handover, handoverTerms } from '../../domain/delivery/terms.ts'
import type { CarrierRate, RateResponse, RateResponses } from '../../domain/quoting/carrier-rate.ts'
import { wantingRates } from '../../domain/quoting/decide.ts'
import type { Job } from '../../domain/quoting/job.ts'
import type { Deps } from '../deps.ts'
import { findCarrier } from '../directory/find-carrier.ts'

/** The address as the caller wrote it, for carriers whose price depends on it; a quote may have no street. */
export type Street = { address: string | null; address2: string | null; city: string; phone: string | null }

/**
 * Asks all carriers that set their own prices for this job at once, and waits until `deadlineMs` at most. A response is
 * cached until it expires, and a response that comes too late is cached for the next request. Carriers whose services
 * the rules exclude are not asked. A quote with an id holds its price for one booking: a request with `isForBooking`
 * takes the quote, so two identical jobs get different quotes.
 */
export async function fetchCarrierPrices(
  deps: Pick<Deps, 'accounts' | 'carrierOf' | 'log'>,
  account: Account,
  job: Job,
  { nowMs, deadlineMs, street, isForBooking = false }: PriceAsking,
): Promise<RateResponses> {
  const servicesByProvider = Map.groupBy(wantingRates(account, job, nowMs), ({ service }) => service.provider)
  if (servicesByProvider.size === 0) return NO_RESPONSES
  const responses = new Map<string, RateResponse>()
  const deadline = new AbortController()
  const late = after(deadlineMs, null, { signal: deadline.signal }).catch(() => null)
  await Promise.all(
    [...servicesByProvider].map(async ([provider, services]) => {
      const carrier = await findCarrier(deps, account.id, provider)
      if (!carrier?.rates) {
        responses.set(provider, { kind: 'none', message: 'its API returns no prices', mayComeLater: false })
        return
      }
      const ask = toRateAsk(job, services, street)
      const rates = isForBooking ? takeRates(deps, carrier, ask) : keptRates(deps, carrier, ask).asked
      const outcome = await Promise.race([rates, late])
      responses.set(provider, outcome ? toRateResponse(outcome) : toLateResponse(deadlineMs))
    }),
  )
  deadline.abort()
  return responses
}

export type PriceAsking = {
  nowMs: number
  deadlineMs: number
  street: Street | null
  isForBooking?: boolean
}

/** A sentence for each carrier that returned no price, so that its rate card is used. */
export function priceWarnings(account: Account, responses: RateResponses): string[] {
  return [...responses].flatMap(([provider, response]) => {
    const carrier = account.carrierByProvider.get(provider)
    if (response.kind === 'rates' || !carrier?.services.some(({ price }) => price)) return []
    return [`${carrier.name} returned no price: ${response.message}. Its rate card is used instead.`]
  })
}

const NO_RESPONSES: RateResponses = new Map()
const MINUTE_MS = 60_000
/** Pickup times are rounded to these steps, so that requests repeat and the cache can answer them. */
const PICKUP_STEP_MS = 5 * MINUTE_MS
/** How long an empty response is cached. */
const NOTHING_KEPT_MS = MINUTE_MS
/** For all carriers together: a response and its key take a few kilobytes. */
const MAX_KEPT = 5_000

type Rates = Outcome<readonly CarrierRate[]>
/** `isTaken`: a booking uses its quote. */
type Kept = { asked: Promise<Rates>; isTaken: boolean }

const kept = new LRUCache<string, Kept>({ max: MAX_KEPT })

/** One number for each carrier object: a carrier with new credentials is another object, with no prices yet. */
const carrierNumbers = new WeakMap<Carrier, number>()
let lastNumber = 0

function getCarrierNumber(carrier: Carrier): number {
  const known = carrierNumbers.get(carrier)
  if (known !== undefined) return known
  lastNumber += 1
  carrierNumbers.set(carrier, lastNumber)
  return lastNumber
}

/** Rates for a booking, whose quote no other booking gets. */
async function takeRates(deps: Pick<Deps, 'log'>, carrier: Carrier, ask: RateAsk): Promise<Rates> {
  for (;;) {
    const rates = keptRates(deps, carrier, ask)
    const outcome = await rates.asked
    if (outcome.kind !== 'yes' || outcome.value.every(({ quoteId }) => quoteId === null)) return outcome
    if (rates.isTaken) continue
    rates.isTaken = true
    return outcome
  }
}

/** Never rejects: an unreadable response does not affect other carriers' prices, and is not cached. */
function keptRates({ log }: Pick<Deps, 'log'>, carrier: Carrier, ask: RateAsk): Kept {
  const key = `${getCarrierNumber(carrier)} ${JSON.stringify(ask)}`
  const earlier = kept.get(key)
  if (earlier && !earlier.isTaken) return earlier

  const asked = carrier.rates!(ask).catch((error: unknown): Rates => {
    log.error({ err: error }, 'a carrier could not be asked for prices, or its answer not be read')
    return { kind: 'unknown', message: 'its answer could not be read' }
  })
  const fresh: Kept = { asked, isTaken: false }
  kept.set(key, fresh)
  void asked.then((outcome) => {
    if (kept.peek(key) !== fresh) return
    const ttl = outcome.kind === 'yes' ? Math.ceil(goodUntil(outcome.value) - Date.now()) : 0
    // For the cache, a `ttl` of 0 means no expiry.
    if (ttl > 0) kept.set(key, fresh, { ttl })
    else kept.delete(key)
  })
  return fresh
}

function goodUntil(rates: readonly CarrierRate[]): number {
  if (rates.length === 0) return Date.now() + NOTHING_KEPT_MS
  return Math.min(...rates.map(({ expiresAtMs }) => expiresAtMs))
}

function toRateResponse(outcome: Outcome<readonly CarrierRate[]>): RateResponse {
  if (outcome.kind === 'yes') {
    return { kind: 'rates', byCode: new Map(outcome.value.map((rate) => [rate.carrierCode, rate])) }
  }
  const mayComeLater = outcome.kind === 'unknown' || outcome.retry === 'later'
  return { kind: 'none', message: outcome.message, mayComeLater }
}

function toLateResponse(deadlineMs: number): RateResponse {
  return { kind: 'none', message: `no answer within ${deadlineMs / 1_000} s`, mayComeLater: true }
}

/** In the carrier's direction: under `customer_pickup` from the door to the store. */
function toRateAsk(
  job: Job,
  services: readonly { service: Service; pickupMs: number }[],
  street: Street | null,
): RateAsk {
  const { destination, store } = job
  const door = {
    address: street?.address ?? null,
    address2: street?.address2 ?? null,
    // A suburb that we do not know by its postcode may be known to the carrier.
    city: destination.suburb ?? street?.city ?? '',
    state: destination.state,
    postCode: destination.postCode,
    country: 'AU',
    lat: destination.lat,
    lng: destination.lng,
    phone: street?.phone ?? null,
    business: !destination.residential,
  }
  const [from, to] = job.mode === 'customer_pickup' ? [door, storeStop(store)] : [storeStop(store), door]
  const { signatureRequired, idCheckRequired } = handoverTerms(toHandover(job))
  const pickupMs = Math.min(...services.map((wanting) => wanting.pickupMs))
  return {
    carrierCodes: services.map(({ service }) => service.carrierCode),
    storeReference: store.reference,
    from,
    to,
    readyAtMs: Math.ceil(pickupMs / PICKUP_STEP_MS) * PICKUP_STEP_MS,
    parcels: job.parcels.map((parcel) => ({ ...parcel, unNumber: parcel.dangerousGoods?.unNumber ?? null })),
    declaredValueCents: job.declaredValueCents,
    productTypes: [...job.productTypes],
    signatureRequired,
    idCheckRequired,
  }
}

function toHandover({ parcels, productTypes, declaredValueCents, destination }: Job): Handover {
  return {
    authorityToLeave: null,
    productTypes: Object.fromEntries([...productTypes].map((type) => [type, true])),
    priceCentsTotalValue: declaredValueCents,
    parcels: parcels.map(({ dangerousGoods }) => ({ containsDangerousGoods: dangerousGoods !== null })),
    address: { business: !destination.residential },
  }
}

function storeStop({ address, lat, lng, phone }: Store): RateAsk['from'] {
  const { address: street, address2, city, state, postCode, country } = address
  return { address: street, address2, city, state, postCode, country, lat, lng, phone, business: true }
}
