import type { AmendRequest, Delivery } from '../../shared/api.generated.ts'
import { addressOf, customerOf, type Draft, draftOf, parcelsOf } from './draft.ts'

const ADDRESS = ['address', 'address2', 'company', 'city', 'state', 'postCode'] as const
const CUSTOMER = ['firstName', 'lastName', 'phone', 'email'] as const

/** The changed fields only; each replaces the whole value that it had. */
export function amendmentOf(draft: Draft, delivery: Delivery): AmendRequest {
  const before = draftOf(delivery)
  const isChanged = (names: readonly (keyof Draft)[]) =>
    names.some((name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]))
  return {
    ready_for_pickup_at: isChanged(['readyAt']) ? draft.readyAt : delivery.ready_for_pickup_at,
    ...(isChanged(['reference']) && { reference: draft.reference.trim() }),
    // Empty: any delivery type.
    ...(isChanged(['deliveryType']) && {
      delivery_type: (draft.deliveryType ?? '') as NonNullable<Delivery['delivery_type']>,
    }),
    ...(isChanged(['instructions']) && { special_instructions: draft.instructions.trim() }),
    ...(isChanged(ADDRESS) && { address: addressOf(draft, delivery.address) }),
    ...(isChanged(CUSTOMER) && { customer: customerOf(draft, delivery.customer) }),
    ...(isChanged(['parcels']) && { parcels: parcelsOf(draft) }),
  }
}
