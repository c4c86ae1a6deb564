import type { Consignment, Stop } from '../../carriers/port/carrier.ts'
import type { Account, Store } from '../../domain/account/account.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { handoverTerms } from '../../domain/delivery/terms.ts'
import type { Option } from '../../domain/quoting/decision.ts'
import { PRODUCT_TYPES } from '../../domain/values.ts'
import { toJobParcels } from '../quoting/to-job.ts'

/**
 * Converts a delivery to the carrier's terms. Only here is `customer_pickup` reversed: the caller's `address` is the
 * pickup point, and the store is the destination.
 */
export function toConsignment(
  account: Account,
  delivery: Delivery,
  option: Option,
  { key, askedAtMs }: Pick<Consignment, 'key' | 'askedAtMs'>,
): Consignment {
  const { content } = delivery
  const store = account.storeById.get(delivery.storeId)
  if (!store) throw new Error(`Account version ${account.version} lacks store ${delivery.storeId}.`)
  const ends = { store: storeStop(store), door: doorStop(delivery) }
  const [from, to] =
    content.deliveryMode === 'customer_pickup' ? [ends.door, ends.store] : [ends.store, ends.door]
  const terms = handoverTerms(content)
  return {
    key,
    deliveryId: delivery.id,
    reference: delivery.reference,
    storeReference: store.reference,
    askedAtMs,
    carrierCode: option.service.carrierCode,
    from,
    to,
    readyAtMs: option.pickupMs,
    window: option.window,
    parcels: toJobParcels(account, content).map((parcel) => ({
      ...parcel,
      unNumber: parcel.dangerousGoods?.unNumber ?? null,
    })),
    authorityToLeave: terms.authorityToLeave,
    signatureRequired: terms.signatureRequired,
    idCheckRequired: terms.idCheckRequired,
    productTypes: PRODUCT_TYPES.filter((type) => content.productTypes[type]),
    declaredValueCents: content.priceCentsTotalValue,
    ratedCents: option.carrierCents,
    specialInstructions: content.specialInstructions,
    pickupInstructions: content.pickupInstructions,
    quoteId: option.quote?.id ?? null,
    items: content.lineItems.map(({ name, quantity, priceCents }) => ({ name, quantity, priceCents })),
  }
}

function storeStop(store: Store): Stop {
  const { address, address2, city, state, postCode, country } = store.address
  return {
    name: store.name,
    company: store.brand.name,
    phone: store.phone,
    email: null,
    address,
    address2,
    city,
    state,
    postCode,
    country,
    lat: store.lat,
    lng: store.lng,
  }
}

function doorStop({ content }: Delivery): Stop {
  const { customer, address, destination } = content
  return {
    name: address.name ?? `${customer.firstName} ${customer.lastName}`,
    company: address.companyName,
    phone: customer.phone,
    email: customer.email,
    address: address.address,
    address2: address.address2,
    city: address.city,
    state: destination.state,
    postCode: address.postCode,
    country: address.country,
    lat: destination.lat,
    lng: destination.lng,
  }
}
