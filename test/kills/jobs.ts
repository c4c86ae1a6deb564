import { CARTON, orderOf } from '../harness/orders.ts'
import { seeded } from '../harness/random.ts'

/** A delivery that the run will create, and whether the client cancels it midway. */
export type KillJob = {
  reference: string
  body: Record<string, unknown>
  /** From the start of the run. */
  atMs: number
  /** The time from the acknowledged create to the cancellation; null: never. */
  cancelAfterMs: number | null
}

/** When every job is ready: half an hour after the account's clock at the start of a run. */
const READY_AT = '2026-11-24T10:30:00+11:00'

const FATES = ['-lost-answer', '-lost-answer', '-slow', '-slow', '-down', '-rejected', '', '']
const CANCELLED = 0.15
/** Booked inside the request, so that killing the API kills a booking. Sent early, because their keys stay locked
 * for 60 s. */
const BOOKED_NOW = 0.3
const BOOKED_NOW_UNTIL = 0.2

/** The same seed makes the same jobs, spread over `overMs`. */
export function killJobs(seed: number, count: number, overMs: number): KillJob[] {
  const { below, chance, pick } = seeded(seed)
  return Array.from({ length: count }, (_, index) => {
    const kind = pick(KINDS)
    const reference = `K${index + 1}-${kind.name}${FATES[index % FATES.length]}`
    const share = index / count
    return {
      reference,
      atMs: Math.round(share * overMs),
      cancelAfterMs: chance(CANCELLED) ? below(12_000) : null,
      body: orderOf('melbourne-cbd', reference, {
        ready_for_pickup_at: READY_AT,
        delivery_type: kind.deliveryType,
        special_instructions: `Leave number ${below(1_000_000)} behind the gate`,
        book_delivery_now: share < BOOKED_NOW_UNTIL && chance(BOOKED_NOW),
        address: { ...kind.address, country: 'AU' },
        parcels: [kind.parcel],
      }),
    }
  })
}

const pallet = {
  ...{ reference: 'P1', quantity: 1, type: 'pallet' },
  ...{ length_cm: 110, width_cm: 110, height_cm: 120, weight_kg: 300 },
}
const richmond = { address: '1 Swan St', city: 'Richmond', state: 'VIC', post_code: '3121' }
const ballarat = { address: '12 Beach Rd', city: 'Ballarat Central', state: 'VIC', post_code: '3350' }

/** One service for each kind of carrier. */
const KINDS = [
  { name: 'swiftly', deliveryType: 'fast', address: richmond, parcel: CARTON },
  { name: 'southern', deliveryType: 'standard', address: ballarat, parcel: CARTON },
  { name: 'haul', deliveryType: 'standard', address: ballarat, parcel: pallet },
]
