import type { Account, Service } from '../src/domain/account/account.ts'
import type { Destination, Job, JobParcel } from '../src/domain/quoting/job.ts'

/** Tuesday 24 November 2026, 10:00 in Melbourne, an ordinary day. */
export const TUESDAY_TEN = Date.parse('2026-11-24T10:00:00+11:00')

/** One small carton: 1 kg dead, 0.25 kg cubic. */
export const carton: JobParcel = {
  reference: 'BOX-1',
  type: 'carton',
  lengthCm: 10,
  widthCm: 10,
  heightCm: 10,
  weightKg: 1,
  quantity: 1,
  dangerousGoods: null,
}

export const ballarat = place({ lat: -37.5622, lng: 143.8503, state: 'VIC', postCode: '3350' })
export const sydney = place({ lat: -33.868, lng: 151.207, state: 'NSW', postCode: '2000' })
export const brokenHill = place({ lat: -31.955, lng: 141.463, state: 'NSW', postCode: '2880' })

/** One carton from Melbourne CBD to a home 2 km north, ready at once. */
export function jobAt(account: Account, changes: Partial<Job> = {}): Job {
  const store = changes.store ?? account.storeByReference.get('melbourne-cbd')!
  return {
    store,
    mode: 'store_to_door',
    destination: northOf(store, 2),
    parcels: [carton],
    readyForPickupAtMs: null,
    ignoreBufferTime: false,
    carrierReadyMs: new Map(),
    carriersOff: new Map(),
    rateResponses: new Map(),
    declaredValueCents: null,
    productTypes: new Set(),
    deliveryType: null,
    pin: null,
    ...changes,
  }
}

/** A home this many kilometres north of a store. */
export function northOf(store: { lat: number; lng: number }, km: number): Destination {
  const degrees = (km / 6371.0088) * (180 / Math.PI)
  return place({ lat: store.lat + degrees, lng: store.lng, state: 'VIC', postCode: '3000' })
}

export function serviceOf(account: Account, name: string): Service {
  const found = account.services.find(({ service }) => service === name)
  if (!found) throw new Error(`There is no service ${name}.`)
  return found
}

function place(where: Pick<Destination, 'lat' | 'lng' | 'state' | 'postCode'>): Destination {
  return { ...where, suburb: null, residential: true, addressKind: 'street', warning: null }
}
