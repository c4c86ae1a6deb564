import type { Account, BookingOrder, Service } from '../account/account.ts'
import {
  businessDays,
  earliestPickup,
  type Offer,
  parcelsReadyMs,
  type WindowPlace,
  windowFor,
} from '../calendar/windows.ts'
import type { DeliveryType, RateZone, Window } from '../values.ts'
import type { Decision, Exclusion, Option } from './decision.ts'
import { type Facts, type Rule, toFacts } from './facts.ts'
import { getJourney, type Job, readyTimes } from './job.ts'
import { computePrice } from './price.ts'
import { carriageRules, rateCardRules } from './rules/rules-of-carriage.ts'
import { goodsRules } from './rules/rules-of-goods.ts'
import { parcelRules } from './rules/rules-of-parcels.ts'

/**
 * Decides which services of the account can take `job` at `nowMs`: for each service it checks the rules in
 * their order, then the calendar, then whether the carrier may have the job, then the price. Options are in
 * the account's booking order; nothing is remembered between calls.
 */
export function decide(account: Account, job: Job, nowMs: number): Decision {
  const facts = toFacts(job)
  const place = toWindowPlace(job, facts.km, facts.rateZone)
  const pickupOf = pickupTimes(job, nowMs)
  const options: Option[] = []
  const exclusions: Exclusion[] = []

  for (const service of account.services) {
    const answer = findExclusion(service, job, facts) ?? toOffer(service, place, pickupOf(service.provider))
    const priced =
      'rule' in answer
        ? answer
        : (offBy(service, job) ?? toOption(account, job, facts, service, answer, nowMs))
    if ('rule' in priced) exclusions.push(priced)
    else options.push(priced)
  }
  return {
    decidedAtMs: nowMs,
    earliestPickupMs: pickupOf(null),
    addressKind: job.destination.addressKind,
    options: options.sort(inOrder(account.booking.order)),
    exclusions,
    warnings: job.destination.warning === null ? [] : [job.destination.warning],
  }
}

/**
 * The services that pass the rules and the calendar and whose carriers must be asked for prices, each with
 * its earliest pickup.
 */
export function wantingRates(
  account: Account,
  job: Job,
  nowMs: number,
): { service: Service; pickupMs: number }[] {
  const live = account.services.filter(
    ({ livePrice, provider }) => livePrice && !job.carriersOff.has(provider),
  )
  if (live.length === 0) return []
  const facts = toFacts(job)
  const place = toWindowPlace(job, facts.km, facts.rateZone)
  const pickupOf = pickupTimes(job, nowMs)
  return live.flatMap((service) => {
    const answer = findExclusion(service, job, facts) ?? toOffer(service, place, pickupOf(service.provider))
    return 'rule' in answer ? [] : [{ service, pickupMs: answer.pickupMs }]
  })
}

/** The window of `service` for `job` if decided at a given moment; null when the calendar has no such window. */
export function makeWindowFinder(service: Service, job: Job): (nowMs: number) => Window | null {
  const { km, rateZone } = toFacts(job)
  const place = toWindowPlace(job, km, rateZone)
  return (nowMs) => {
    const answer = toOffer(service, place, pickupTimes(job, nowMs)(service.provider))
    return 'rule' in answer ? null : answer.window
  }
}

/** The option of each type that would be booked first. */
export function bestByType({ options }: Decision): Partial<Record<DeliveryType, Option>> {
  const best: Partial<Record<DeliveryType, Option>> = {}
  for (const option of options) best[option.service.type] ??= option
  return best
}

/**
 * The job's locations for the calendar: the store's opening times and clock, and the business days of the
 * parcels' destination.
 */
export function toWindowPlace(
  job: Pick<Job, 'mode' | 'store' | 'destination'>,
  distanceKm: number,
  rateZone: RateZone,
): WindowPlace {
  const { to } = getJourney(job)
  return {
    store: job.store.calendar,
    destinationZone: to.zone,
    businessDays: businessDays(to.state),
    distanceKm,
    rateZone,
  }
}

/** Provider → its earliest pickup; for null, the store's own, regardless of carriers. */
function pickupTimes(job: Job, nowMs: number): (provider: string | null) => number | null {
  const { calendar } = job.store
  const times = readyTimes(job, nowMs)
  const own = earliestPickup(calendar, times)
  return (provider) => {
    const carrierMs = provider === null ? undefined : job.carrierReadyMs.get(provider)
    return carrierMs === undefined ? own : earliestPickup(calendar, times, carrierMs)
  }
}

function offBy(service: Service, { carriersOff }: Job): Exclusion | null {
  const off = carriersOff.get(service.provider)
  return off === undefined ? null : { service, ...off }
}

/** The offer with its price: the carrier's own if it gave one, otherwise the rate card's. */
function toOption(
  account: Account,
  job: Job,
  facts: Facts,
  service: Service,
  { pickupMs, window, numDays }: Offer,
  nowMs: number,
): Option | Exclusion {
  const response = service.livePrice ? job.rateResponses.get(service.provider) : undefined
  const rate = response?.kind === 'rates' ? (response.byCode.get(service.carrierCode) ?? null) : null
  if (response?.kind === 'rates' && !rate) {
    return {
      service,
      rule: 'carrier_price',
      detail: `${service.carrierName} does not offer it for this job.`,
    }
  }
  const price = computePrice(account.pricing, service, job, facts, rate)
  if (!price) {
    const why = response?.kind === 'none' ? response.message : 'it was not asked'
    const detail = `${service.carrierName} returned no price: ${why}.`
    const mayComeLater = response?.kind === 'none' && response.mayComeLater
    return { service, rule: 'carrier_price', detail, ...(mayComeLater ? { mayComeLater } : {}) }
  }
  return {
    service,
    priceCents: price.priceCents,
    lines: price.lines,
    gstIncludedCents: price.gstIncludedCents,
    carrierCents: price.carrierCents,
    readyMs: movedReadyMs(service, job, nowMs),
    pickupMs,
    window: rate?.window ?? window,
    numDays,
    quote: rate && { id: rate.quoteId, expiresAtMs: rate.expiresAtMs, priceCents: rate.priceCents },
  }
}

/** The carrier's own time, if it is after the parcels are ready. */
function movedReadyMs({ provider }: Service, job: Job, nowMs: number): number | null {
  const carrierReadyMs = job.carrierReadyMs.get(provider)
  if (job.readyForPickupAtMs === null || carrierReadyMs === undefined) return null
  return carrierReadyMs > parcelsReadyMs(readyTimes(job, nowMs)) ? carrierReadyMs : null
}

function toOffer(service: Service, place: WindowPlace, pickupMs: number | null): Offer | Exclusion {
  if (pickupMs === null) return { service, rule: 'no_pickup', detail: NEVER_OPEN }
  const offer = windowFor(service.timing, place, pickupMs)
  return 'excluded' in offer ? { service, rule: offer.excluded, detail: offer.detail } : offer
}

/** Closed permanently, or beyond the years whose holidays are known. */
export const NEVER_OPEN = 'The store has no pickup hours from then until its calendar ends with 2030.'

/** Comparator for `Array.sort`, which keeps equal options in the document's order. */
function inOrder(order: BookingOrder): (a: Option, b: Option) => number {
  switch (order.by) {
    case 'cheapest':
      return byPriceThenArrival
    case 'fastest':
      return (a, b) => a.window.toMs - b.window.toMs || a.priceCents - b.priceCents
    case 'preferred': {
      const rank = (option: Option) => {
        const index = order.providers.indexOf(option.service.provider)
        return index === -1 ? order.providers.length : index
      }
      return (a, b) => rank(a) - rank(b) || byPriceThenArrival(a, b)
    }
  }
}

function byPriceThenArrival(a: Option, b: Option): number {
  return a.priceCents - b.priceCents || a.window.toMs - b.window.toMs || a.window.fromMs - b.window.fromMs
}

/** The first rule that excludes `service` for `job`, with this job's figures; null when it can take the job. */
export function findExclusion(service: Service, job: Job, facts: Facts): Exclusion | null {
  for (const { name, refuses, explain } of RULES) {
    if (refuses(service, job, facts)) return { service, rule: name, detail: explain(service, job, facts) }
  }
  return null
}

/**
 * Why no service of the account can take `job` at any time, ignoring hours and cut-offs; null when one can.
 * `notSetUp`: the carriers that this installation cannot book, by provider.
 */
export function exclusionsForever(
  { services }: Pick<Account, 'services'>,
  job: Job,
  notSetUp: ReadonlyMap<string, { detail: string }>,
): Exclusion[] | null {
  const facts = toFacts(job)
  const exclusions: Exclusion[] = []
  for (const service of services) {
    const off = notSetUp.get(service.provider)
    const exclusion =
      findExclusion(service, job, facts) ?? (off ? { service, rule: 'not_set_up', detail: off.detail } : null)
    if (!exclusion) return null
    exclusions.push(exclusion)
  }
  return exclusions
}

/** In the order of `EXCLUSION_RULES`; exclusions by the calendar come later, in `decide`. */
export const RULES: readonly Rule[] = [...carriageRules, ...parcelRules, ...goodsRules].map(withCard)

/** Areas and weights missing from a courier's price list use the same rule names as a service's own limits. */
function withCard(rule: Rule): Rule {
  const ofCard = rateCardRules.find(({ name }) => name === rule.name)
  if (!ofCard) return rule
  return {
    name: rule.name,
    refuses: (...job) => rule.refuses(...job) || ofCard.refuses(...job),
    explain: (...job) => (rule.refuses(...job) ? rule : ofCard).explain(...job),
  }
}
