import { formatLocal } from '../../../domain/calendar/zone.ts'
import { handoverTerms } from '../../../domain/delivery/terms.ts'
import { distanceKm } from '../../../domain/geo/distance.ts'
import { parcelsOnTheWay } from '../../../domain/own-network/left-behind.ts'
import type { DriverJob } from '../../../operations/own-couriers/driver-jobs.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'

/**
 * Converts a job for its driver, with only the data that the work needs. An offer has suburbs only; names and street
 * addresses follow when the driver accepts. Never includes a last name, an email address or a price.
 */
export function fromJob({ row, store }: DriverJob): Record<string, unknown> {
  const { content } = row
  const offered = row.status === 'requested'
  const ends = { store: storeEnd(store), door: doorEnd(row, offered) }
  const reverse = content.deliveryMode === 'customer_pickup'
  const terms = handoverTerms(content)
  const local = (ms: number | null) => (ms === null ? undefined : formatLocal(store.zone, ms))
  return {
    id: row.delivery_id,
    reference: offered ? undefined : row.reference,
    version: row.content_version,
    status: row.status,
    sub_status: row.sub_status ?? undefined,
    offered,
    offer_expires_at: offered ? recordTime(row.expires_at) : undefined,
    consignment_number: row.consignment_number ?? undefined,
    brand: store.brand.name,
    store: store.name,
    delivery_mode: reverse ? content.deliveryMode : undefined,
    from: reverse ? ends.door : ends.store,
    to: reverse ? ends.store : ends.door,
    distance_km: Math.round(distanceKm(store, content.destination) * 10) / 10,
    ready_for_pickup_at: local(row.ready_for_pickup_at),
    from_datetime: local(row.window_from),
    to_datetime: local(row.window_to),
    special_instructions: offered ? undefined : (content.specialInstructions ?? undefined),
    pickup_instructions: offered ? undefined : (content.pickupInstructions ?? undefined),
    requirements: {
      authority_to_leave: terms.authorityToLeave,
      signature_required: terms.signatureRequired,
      id_check_required: terms.idCheckRequired,
      dangerous_goods: content.parcels.some(({ containsDangerousGoods }) => containsDangerousGoods),
    },
    parcels: parcelsOnTheWay(content.parcels, row.articles).map((parcel) => ({
      reference: parcel.reference,
      description: parcel.description ?? undefined,
      type: parcel.type ?? undefined,
      weight_kg: parcel.weightKg,
      length_cm: parcel.lengthCm,
      width_cm: parcel.widthCm,
      height_cm: parcel.heightCm,
      quantity: parcel.quantity,
      article_ids: row.articles.find(({ parcelReference }) => parcelReference === parcel.reference)
        ?.articleIds,
    })),
  }
}

function storeEnd({ name, phone, address, lat, lng }: DriverJob['store']) {
  return {
    name,
    phone: phone ?? undefined,
    address: address.address,
    address2: address.address2 ?? undefined,
    city: address.city,
    state: address.state,
    post_code: address.postCode,
    lat,
    lng,
  }
}

function doorEnd({ content: { address, customer, destination } }: DriverJob['row'], offered: boolean) {
  const place = { city: address.city, state: destination.state, post_code: address.postCode }
  if (offered) return place
  return {
    name: customer.firstName,
    company: address.companyName ?? undefined,
    phone: customer.phone,
    address: address.address,
    address2: address.address2 ?? undefined,
    ...place,
    lat: destination.lat,
    lng: destination.lng,
  }
}
