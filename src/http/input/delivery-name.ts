import type { DeliveryName } from '../../operations/delivery-lookup/get-delivery.ts'
import type { TenantRequest } from '../contract/endpoint.ts'

/** A request about one delivery, named by our id or the merchant's reference. */
export type NamesDelivery = TenantRequest<unknown, { store_reference?: string | undefined }>

export function toDeliveryName({ params, query }: NamesDelivery): DeliveryName {
  return {
    idOrReference: params.delivery_id_or_reference as string,
    storeReference: query.store_reference ?? null,
  }
}
