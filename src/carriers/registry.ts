import { ARAMEX_AU } from './adapters/aramex-au/index.ts'
import { AUSPOST } from './adapters/auspost/index.ts'
import { bigHaul } from './adapters/big-haul/index.ts'
import { DOORDASH } from './adapters/doordash/index.ts'
import { LOCAL_COURIER } from './adapters/local-courier/index.ts'
import { southernParcels } from './adapters/southern-parcels/index.ts'
import { swiftly } from './adapters/swiftly/index.ts'
import { UBER_DIRECT } from './adapters/uber-direct/index.ts'
import type { Adapter } from './port/adapter.ts'

/** All adapters, by the `adapter` of an account document. */
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

/** Our simulated carriers, which run in this process. */
export const SANDBOX_ADAPTERS: ReadonlyMap<string, Adapter> = new Map(
  [...ADAPTERS].filter(([, adapter]) => adapter.live === undefined && adapter.usesMail === undefined),
)
