import type { CarrierAccess } from './access.ts'
import { bigHaul } from './big-haul/index.ts'
import type { Carrier } from './carrier.ts'
import { southernParcels } from './southern-parcels/index.ts'
import { swiftly } from './swiftly/index.ts'

/** Every carrier we speak to, by the `adapter` of an account document. */
export const ADAPTERS: ReadonlyMap<string, (access: CarrierAccess) => Carrier> = new Map([
  ['swiftly', swiftly],
  ['southern_parcels', southernParcels],
  ['big_haul', bigHaul],
])
