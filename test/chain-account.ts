import type { Account, Brand, Store } from '../src/domain/account/account.ts'
import { exampleAccount } from './demo-account.ts'

const demo = exampleAccount('demo-account')

/** A store with the hours of one of the demo's. */
export type ChainStore = {
  reference: string
  lat: number
  lng: number
  hoursOf?: string
  processingMinutes?: number
}

/** An account of one brand with stores at the given positions. */
export function chainAccount(strategy: Brand['allocationStrategy'], stores: readonly ChainStore[]): Account {
  const brand: Brand = { ...demo.brands[0]!, allocationStrategy: strategy }
  return withStores(
    { ...demo, brands: [brand] },
    stores.map((store) => storeOf(store, brand)),
  )
}

/** The same account with other stores. */
export function withStores(account: Account, stores: readonly Store[]): Account {
  return {
    ...account,
    stores,
    storeById: new Map(stores.map((store) => [store.id, store])),
    storeByReference: new Map(stores.map((store) => [store.reference, store])),
  }
}

function storeOf(
  { reference, lat, lng, hoursOf = 'fitzroy', processingMinutes }: ChainStore,
  brand: Brand,
): Store {
  const model = demo.storeByReference.get(hoursOf)!
  return {
    ...model,
    id: `sto_${reference}`,
    reference,
    name: reference,
    brand,
    lat,
    lng,
    processingMinutes: processingMinutes ?? model.processingMinutes,
  }
}
