import type { Account } from '../account/account.ts'
import { earliestPickup, windowFor } from '../calendar/windows.ts'
import type { AddressKind } from '../geo/address-kind.ts'
import { getRateZone } from '../geo/distance.ts'
import type { DeliveryType } from '../values.ts'
import { NEVER_OPEN, toWindowPlace } from './decide.ts'
import type { Availability, ExclusionRule } from './decision.ts'
import { getJourney, type Job, readyTimes } from './job.ts'

/** The fields of a job that availability needs. */
export type AvailabilityAsk = Pick<
  Job,
  'mode' | 'store' | 'destination' | 'readyForPickupAtMs' | 'ignoreBufferTime' | 'deliveryType'
>

export type AvailabilityDecision = {
  decidedAtMs: number
  earliestPickupMs: number | null
  /** The address kind that was recognised. */
  addressKind: AddressKind
  windows: Availability
  exclusions: readonly { deliveryType: DeliveryType; rule: ExclusionRule; detail: string }[]
  warnings: readonly string[]
}

/**
 * The earliest window of each delivery type that the account has enabled. Calls no carrier, and calculates no
 * distance or price; the destination matters only for delivery days that differ by rate zone.
 */
export function checkAvailability(
  account: Account,
  ask: AvailabilityAsk,
  nowMs: number,
): AvailabilityDecision {
  const { store, destination } = ask
  const { from, to } = getJourney(ask)
  const place = toWindowPlace(ask, 0, getRateZone(from, to))
  const earliestPickupMs = earliestPickup(store.calendar, readyTimes(ask, nowMs))
  const windows: Availability = {}
  const exclusions: AvailabilityDecision['exclusions'][number][] = []

  for (const [deliveryType, timing] of account.deliveryTypes) {
    if (ask.deliveryType !== null && ask.deliveryType !== deliveryType) continue
    if (earliestPickupMs === null) {
      exclusions.push({
        deliveryType,
        rule: 'no_pickup',
        detail: NEVER_OPEN,
      })
      continue
    }
    const offer = windowFor(timing, place, earliestPickupMs)
    if ('window' in offer) windows[deliveryType] = offer.window
    else exclusions.push({ deliveryType, rule: offer.excluded, detail: offer.detail })
  }
  const warnings = destination.warning === null ? [] : [destination.warning]
  const { addressKind } = destination
  return { decidedAtMs: nowMs, earliestPickupMs, addressKind, windows, exclusions, warnings }
}
