import type { Store } from '../account/account.ts'
import type { ReadyTimes } from '../calendar/windows.ts'
import { type Zone, zone } from '../calendar/zone.ts'
import type { DangerousGoods } from '../dangerous-goods/dangerous-goods.ts'
import type { AddressKind } from '../geo/address-kind.ts'
import type { Position } from '../geo/distance.ts'
import { getZoneName } from '../geo/states.ts'
import type { DeliveryMode, DeliveryType, ParcelType, ProductType, State } from '../values.ts'
import type { RateResponses } from './carrier-rate.ts'

/**
 * A job to carry, fully resolved: no references, no raw input. `decide(account, job, now)` needs nothing
 * more. Under `customer_pickup` the destination is where the parcels start.
 */
export type Job = {
  store: Store
  mode: DeliveryMode
  destination: Destination
  parcels: readonly JobParcel[]
  /** Null: ready at once. */
  readyForPickupAtMs: number | null
  ignoreBufferTime: boolean
  /** Provider → when its driver or run is at the store (`use_dynamic_RFP`); moves the pickup later, never earlier. */
  carrierReadyMs: ReadonlyMap<string, number>
  /** Provider → why it may not take the job, whatever its price. */
  carriersOff: ReadonlyMap<string, CarrierOut>
  /** Responses of the carriers that set their own prices; empty when no carrier was asked. */
  rateResponses: RateResponses
  declaredValueCents: number | null
  productTypes: ReadonlySet<ProductType>
  deliveryType: DeliveryType | null
  pin: { provider: string | null; service: string | null } | null
}

/**
 * Disabled for now, so that a delivery may wait for it; not set up on this installation; or excluded because this delivery
 * was recalled from it.
 */
export type CarrierOut =
  | { rule: 'carrier_disabled'; detail: string; mayComeLater: true }
  | { rule: 'not_set_up'; detail: string; mayComeLater?: true }
  | { rule: 'excluded_by_reassignment'; detail: string }

export type Destination = {
  lat: number
  lng: number
  suburb: string | null
  state: State
  postCode: string
  residential: boolean
  addressKind: AddressKind
  /** A warning when the location is not exact. */
  warning: string | null
  /** Suburb and postcode contradict each other: a person should check the address before hand-over. */
  addressToCheck?: true
}

/** `quantity` identical parcels. */
export type JobParcel = {
  reference: string
  type: ParcelType
  lengthCm: number
  widthCm: number
  heightCm: number
  weightKg: number
  quantity: number
  dangerousGoods: DangerousGoods | null
}

/** The inputs for the store's pickup hours. */
export function readyTimes(
  job: Pick<Job, 'store' | 'readyForPickupAtMs' | 'ignoreBufferTime'>,
  nowMs: number,
): ReadyTimes {
  const bufferMinutes = job.ignoreBufferTime ? 0 : job.store.bufferMinutes
  return { readyMs: job.readyForPickupAtMs, nowMs, bufferMinutes }
}

/** No carrier was called, and no carrier is disabled. */
export const NO_CARRIERS: ReadonlyMap<string, never> = new Map<string, never>()

export type JourneyEnd = Position & { state: State; zone: Zone }

/** Where the parcels start and end: under `customer_pickup` they start at the customer's and end in the store. */
export function getJourney({ mode, store, destination }: Pick<Job, 'mode' | 'store' | 'destination'>): {
  from: JourneyEnd
  to: JourneyEnd
} {
  const { lat, lng, state, postCode } = destination
  const door = { lat, lng, state, zone: zone(getZoneName(state, postCode)) }
  return mode === 'customer_pickup' ? { from: door, to: store } : { from: store, to: door }
}
