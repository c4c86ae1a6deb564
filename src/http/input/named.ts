import type { DeliveryName } from '../../operations/context/get-delivery.ts'
import type { TenantAsk } from '../contract/endpoint.ts'

/** Asks about one delivery, by our id or the merchant's reference. */
export type Named = TenantAsk<unknown, { store_reference?: string | undefined }>

export function nameOf({ params, query }: Named): DeliveryName {
  return {
    idOrReference: params.delivery_id_or_reference as string,
    storeReference: query.store_reference ?? null,
  }
}
