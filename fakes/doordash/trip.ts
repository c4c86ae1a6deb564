import type { FakeAnswer } from '../fake.ts'
import { kilometresBetween, madeUpPlace, type Place } from '../places.ts'
import { invalidFields, type NotServed, notServed } from './errors.ts'
import { contradictions, type DeliveryRequest, wantedTimes } from './requests.ts'

export type Trip = { pickup: Place; dropoff: Place; kilometres: number }

/** Made up: DoorDash does not publish its coverage in Australia. */
const MAX_KM = 16
const NOT_IN_COVERAGE = /\b(NT|TAS)\b/i
const BASE_CENTS = 995
const CENTS_A_KM = 90
const DAYS_AHEAD_MS = 30 * 86_400_000
const PAST_GRACE_MS = 60_000

/** Whether it can be delivered: the check for quotes, deliveries and changes. */
export function readTrip(
  asked: DeliveryRequest,
  nowMs: number,
): { ok: true; trip: Trip } | { ok: false; answer: FakeAnswer } {
  const refused = (answer: FakeAnswer) => ({ ok: false, answer }) as const
  const wrong = contradictions(asked)
  if (wrong.length > 0) return refused(invalidFields(wrong))

  const { pickup_address = '', dropoff_address, dropoff_location } = asked
  const pickup = madeUpPlace(pickup_address)
  const dropoff = dropoff_location ?? madeUpPlace(dropoff_address)
  const unresolved = [...(pickup ? [] : ['pickup_address']), ...(dropoff ? [] : ['dropoff_address'])].map(
    (field) => ({ field, error: 'Could not resolve to a valid address' }),
  )
  if (!pickup || !dropoff) return refused(invalidFields(unresolved))

  const kilometres = kilometresBetween(pickup, dropoff)
  const times = Object.values(wantedTimes(asked)).filter((ms) => ms !== null)
  const rules: readonly [boolean, NotServed][] = [
    [NOT_IN_COVERAGE.test(pickup_address), 'pickup_address_not_in_coverage'],
    [NOT_IN_COVERAGE.test(dropoff_address), 'delivery_address_not_in_coverage'],
    [kilometres > MAX_KM, 'distance_too_long'],
    [
      times.some((ms) => ms < nowMs - PAST_GRACE_MS || ms > nowMs + DAYS_AHEAD_MS),
      'outside_of_delivery_time',
    ],
  ]
  const reason = rules.find(([broken]) => broken)?.[1]
  return reason ? refused(notServed(reason)) : { ok: true, trip: { pickup, dropoff, kilometres } }
}

export function feeCents({ kilometres }: Trip): number {
  return BASE_CENTS + Math.round(kilometres * CENTS_A_KM)
}
