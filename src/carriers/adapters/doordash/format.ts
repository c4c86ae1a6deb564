import { type Handover, mayBeLeft } from '../../kit/delivery-instructions.ts'
import { omitEmpty } from '../../kit/omit-empty.ts'
import { cut } from '../../kit/text.ts'
import type { Consignment, ConsignmentParcel, RateAsk, RateStop } from '../../port/carrier.ts'
import { formatAddress, formatAddressComponents } from './address.ts'
import type { Settings } from './settings.ts'

/** Maximum of each per item; above it the whole request fails with a 400. */
const MAX = { name: 100, externalId: 100, quantity: 100 }

/** `POST /drive/v2/deliveries`. Our key is their `external_delivery_id`, which is unique. */
export function formatDelivery(consignment: Consignment, settings: Settings) {
  const { from, to } = consignment
  return {
    external_delivery_id: consignment.key,
    ...formatJourney(consignment, settings, consignment.askedAtMs),
    pickup_business_name: from.company ?? from.name,
    ...omitEmpty('pickup_instructions', consignment.pickupInstructions),
    pickup_reference_tag: consignment.reference,
    ...omitEmpty('dropoff_business_name', to.company),
    ...omitEmpty('dropoff_instructions', consignment.specialInstructions),
    ...formatName(to.name),
    dropoff_contact_send_notifications: settings.customer_notifications,
    ...formatHandover(consignment),
    action_if_undeliverable: 'return_to_pickup',
    ...formatGoods(consignment),
    items: consignment.parcels.flatMap(formatItems),
  }
}

type Journey = Pick<Consignment, 'readyAtMs' | 'declaredValueCents'> & { from: JourneyEnd; to: JourneyEnd }
type JourneyEnd = Pick<RateStop, 'address' | 'address2' | 'city' | 'state' | 'postCode' | 'country' | 'phone'>

/** `POST /drive/v2/quotes`, under an id that we never book with. */
export function formatQuote(ask: RateAsk, quoteId: string, settings: Settings, nowMs: number) {
  return {
    external_delivery_id: quoteId,
    ...formatJourney(ask, settings, nowMs),
    dropoff_options: formatDoor(ask),
    ...formatGoods(ask),
  }
}

/** DoorDash plans from the pickup: a request holds either the pickup time or the drop-off time. */
function formatJourney(journey: Journey, settings: Settings, nowMs: number) {
  const { from, to, readyAtMs, declaredValueCents } = journey
  return {
    pickup_address: formatAddress(from),
    ...omitEmpty('pickup_phone_number', from.phone ?? settings.pickup_phone),
    dropoff_address: formatAddress(to),
    ...omitEmpty('dropoff_address_components', formatAddressComponents(to)),
    ...omitEmpty('dropoff_phone_number', to.phone ?? settings.pickup_phone),
    ...omitEmpty('order_value', declaredValueCents),
    currency: 'AUD',
    pickup_time: new Date(Math.max(readyAtMs, nowMs)).toISOString(),
  }
}

function formatHandover(handover: Handover) {
  return { contactless_dropoff: mayBeLeft(handover), dropoff_options: formatDoor(handover) }
}

/** For alcohol, DoorDash refuses a quote without an ID check, as it does a booking. */
function formatDoor({ signatureRequired, idCheckRequired }: Omit<Handover, 'authorityToLeave'>) {
  return {
    ...(signatureRequired && { signature: 'required' }),
    ...(idCheckRequired && { id_verification: 'required' }),
    ...(!signatureRequired && !idCheckRequired && { proof_of_delivery: 'photo_required' }),
  }
}

/** Goods that Dashers must know about. */
function formatGoods({ productTypes }: Pick<Consignment, 'productTypes'>) {
  const has = (...types: Consignment['productTypes']) => types.some((type) => productTypes.includes(type))
  return {
    order_contains: {
      alcohol: has('alcohol'),
      tobacco: has('tobacco'),
      pharmacy_items: has('prescription_meds_s2', 'prescription_meds_s4', 'prescription_meds_s8'),
      age_restricted_pharmacy_items: has('prescription_meds_s4', 'prescription_meds_s8'),
    },
  }
}

/** A parcel row, split into as many items as its quantity needs. */
function formatItems({ reference, type, quantity }: ConsignmentParcel) {
  const item = {
    name: cut(`${reference} (${type})`, MAX.name),
    external_id: cut(reference, MAX.externalId),
  }
  return Array.from({ length: Math.ceil(quantity / MAX.quantity) }, (_, index) => ({
    ...item,
    quantity: Math.min(MAX.quantity, quantity - index * MAX.quantity),
  }))
}

function formatName(name: string) {
  const [given = name, ...family] = name.trim().split(/\s+/)
  return {
    dropoff_contact_given_name: given,
    ...omitEmpty('dropoff_contact_family_name', family.join(' ')),
  }
}
