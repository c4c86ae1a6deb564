import type { Account, Service } from '../account/account.ts'
import { businessDays } from '../calendar/business-days.ts'
import { earliestPickup, type Offer, type WindowPlace, windowFor } from '../calendar/windows.ts'
import { zone } from '../calendar/zone.ts'
import { zoneNameOf } from '../geo/states.ts'
import type { DeliveryType, RateZone } from '../values.ts'
import { inOrder } from './booking-order.ts'
import type { Decision, Exclusion, Option } from './decision.ts'
import { exclusionOf } from './eligibility.ts'
import { factsOf } from './facts.ts'
import type { Job } from './job.ts'
import { priceOf } from './price.ts'

/**
 * What every service of the account says to `job` at `nowMs`: each is asked the rules in their order, then the
 * calendar, then its price. Options come in the account's booking order; nothing is remembered between calls.
 */
export function decide(account: Account, job: Job, nowMs: number): Decision {
  const facts = factsOf(job)
  const place = placeOf(job, facts.km, facts.rateZone)
  const pickupOf = pickupTimes(job, nowMs)
  const options: Option[] = []
  const exclusions: Exclusion[] = []

  for (const service of account.services) {
    const answer = exclusionOf(service, job, facts) ?? offerOf(service, place, pickupOf(service.provider))
    if ('rule' in answer) exclusions.push(answer)
    else options.push({ service, ...priceOf(account.pricing, service, job, facts), ...answer })
  }
  return {
    decidedAtMs: nowMs,
    earliestPickupMs: pickupOf(null),
    options: options.sort(inOrder(account.booking.order)),
    exclusions,
    warnings: job.destination.warning === null ? [] : [job.destination.warning],
  }
}

/** The option of each type that would be booked first. */
export function bestByType({ options }: Decision): Partial<Record<DeliveryType, Option>> {
  const best: Partial<Record<DeliveryType, Option>> = {}
  for (const option of options) best[option.service.type] ??= option
  return best
}

/** Where a job runs, for the calendar: the store's opening times, the destination's clock and business days. */
export function placeOf(
  { store, destination }: Pick<Job, 'store' | 'destination'>,
  distanceKm: number,
  rateZone: RateZone,
): WindowPlace {
  return {
    store: store.calendar,
    destinationZone: zone(zoneNameOf(destination.state, destination.postCode)),
    businessDays: businessDays(destination.state),
    distanceKm,
    rateZone,
  }
}

/** Provider → its earliest pickup; null asks for the store's own, without any carrier's word. */
function pickupTimes(job: Job, nowMs: number): (provider: string | null) => number | null {
  const { calendar } = job.store
  const bufferMinutes = job.ignoreBufferTime ? 0 : job.store.bufferMinutes
  const own = earliestPickup(calendar, { readyMs: job.readyForPickupAtMs, nowMs, bufferMinutes })
  return (provider) => {
    const carrierReadyMs = provider === null ? undefined : job.carrierReadyMs.get(provider)
    if (carrierReadyMs === undefined) return own
    const readyMs = Math.max(job.readyForPickupAtMs ?? nowMs, carrierReadyMs)
    return earliestPickup(calendar, { readyMs, nowMs, bufferMinutes })
  }
}

function offerOf(service: Service, place: WindowPlace, pickupMs: number | null): Offer | Exclusion {
  if (pickupMs === null) return { service, rule: 'no_pickup', detail: NEVER_OPEN }
  const offer = windowFor(service.timing, place, pickupMs)
  return 'excluded' in offer ? { service, rule: offer.excluded, detail: offer.detail } : offer
}

/** Closed for good, or beyond the years whose holidays are known. */
export const NEVER_OPEN = 'The store has no pickup hours from then until its calendar ends with 2030.'
