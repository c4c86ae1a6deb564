import type { Store } from '../account/account.ts'
import type { ReadyTimes } from '../calendar/windows.ts'
import type { DangerousGoods } from '../dangerous-goods/dangerous-goods.ts'
import type { AddressKind } from '../geo/address-kind.ts'
import type { DeliveryMode, DeliveryType, ParcelType, ProductType, State } from '../values.ts'
import type { CarrierWords } from './carrier-rate.ts'

/**
 * What is to be carried, wholly resolved: no references, no raw input. `decide(account, job, now)` needs
 * nothing else. Under `customer_pickup` the destination is where the parcels start.
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
  /** Provider → why it may not have the job, whatever it would ask. */
  carriersOff: ReadonlyMap<string, CarrierOut>
  /** What the carriers that tell their own prices said of it; empty where none is asked. */
  carrierWords: CarrierWords
  declaredValueCents: number | null
  productTypes: ReadonlySet<ProductType>
  deliveryType: DeliveryType | null
  pin: { provider: string | null; service: string | null } | null
}

/** Switched off, and on again some time, so that a delivery may wait for it; or asked for this very delivery back. */
export type CarrierOut =
  | { rule: 'carrier_off'; detail: string; mayComeLater: true }
  | { rule: 'asked_back'; detail: string }

export type Destination = {
  lat: number
  lng: number
  suburb: string | null
  state: State
  postCode: string
  residential: boolean
  addressKind: AddressKind
  /** Where it was found, when that was not exact. */
  warning: string | null
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

/** What its store's pickup hours are asked with. */
export function readyTimes(
  job: Pick<Job, 'store' | 'readyForPickupAtMs' | 'ignoreBufferTime'>,
  nowMs: number,
): ReadyTimes {
  const bufferMinutes = job.ignoreBufferTime ? 0 : job.store.bufferMinutes
  return { readyMs: job.readyForPickupAtMs, nowMs, bufferMinutes }
}

/** No carrier was asked anything, and none is switched off. */
export const NO_CARRIERS: ReadonlyMap<string, never> = new Map<string, never>()
