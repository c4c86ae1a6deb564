import { Refusal } from '../../../domain/errors.ts'
import { mayUseStore } from '../../../operations/directory/caller.ts'
import { type Endpoint, json, tenantEndpoint, wholeList } from '../../contract/endpoint.ts'
import { StoreAnswer, StoresAnswer } from '../fields/store.ts'
import { fromStore } from './store-wire.ts'

export const STORE_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/stores',
    operationId: 'listStores',
    access: 'deliveries:read',
    tag: 'Stores',
    summary: 'List the stores that the caller may see',
    answers: {
      200: {
        description: 'All stores that the caller may see, in the order of the account document.',
        schema: StoresAnswer,
      },
    },
    refusals: [],
    handle({ entry, caller }) {
      const nowMs = entry.nowMs()
      const stores = entry.account.stores.filter((store) => mayUseStore(caller, store))
      return wholeList(stores.map((store) => fromStore(entry.account, store, nowMs)))
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/stores/:store_id_or_reference',
    operationId: 'getStore',
    access: 'deliveries:read',
    tag: 'Stores',
    summary: 'Get a store, with its hours today and its next closures',
    answers: { 200: { description: 'The store.', schema: StoreAnswer } },
    refusals: [],
    handle({ entry, caller, params }) {
      const name = params.store_id_or_reference as string
      const store = entry.account.storeById.get(name) ?? entry.account.storeByReference.get(name)
      if (!store || !mayUseStore(caller, store)) throw new Refusal('not_found', `There is no store ${name}.`)
      return json(200, { data: fromStore(entry.account, store, entry.nowMs()) })
    },
  }),
]
