import type { Adapter } from './adapter.ts'
import { ARAMEX_AU } from './aramex-au/index.ts'
import { AUSPOST } from './auspost/index.ts'
import { bigHaul } from './big-haul/index.ts'
import { DOORDASH } from './doordash/index.ts'
import { LOCAL_COURIER } from './local-courier/index.ts'
import { southernParcels } from './southern-parcels/index.ts'
import { swiftly } from './swiftly/index.ts'
import { UBER_DIRECT } from './uber-direct/index.ts'

/** Every carrier we speak to, by the `adapter` of an account document. */
export const ADAPTERS: ReadonlyMap<string, Adapter> = new Map<string, Adapter>([
  ['swiftly', { make: swiftly }],
  ['southern_parcels', { make: southernParcels }],
  ['big_haul', { make: bigHaul }],
  ['auspost', AUSPOST],
  ['uber_direct', UBER_DIRECT],
  ['doordash', DOORDASH],
  ['aramex_au', ARAMEX_AU],
  ['local_courier', LOCAL_COURIER],
])

/** Our own carriers, which live in this process. */
export const SANDBOX_ADAPTERS: ReadonlyMap<string, Adapter> = new Map(
  [...ADAPTERS].filter(([, adapter]) => adapter.live === undefined && adapter.desk === undefined),
)
