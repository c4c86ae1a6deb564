import { type Handover, mayBeLeft } from '../../kit/delivery-instructions.ts'
import { cut, omitEmpty } from '../../kit/text.ts'
import type { Consignment, ConsignmentParcel, RateAsk, RateStop } from '../../port/carrier.ts'
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

type Address = Pick<RateStop, 'address' | 'address2' | 'city' | 'state' | 'postCode' | 'country'>

/** One line, in the Australian order. */
export function formatAddress({ address, address2, city, state, postCode, country }: Address): string {
  const street = [address2, address].filter(Boolean)
  return [...street, `${city} ${state} ${postCode}`, country].join(', ')
}

/**
 * DoorDash's Australian form of the drop-off address: "21/17 Jones St" is street 17 Jones St and unit 21.
 * Null if the street is unknown (as in a quote), abroad, or if a slash that we can't parse is left: DoorDash
 * rejects slashes.
 */
export function formatAddressComponents({ address, address2, city, state, postCode, country }: Address) {
  if (!address || country !== 'AU') return null
  const { street, unit } = splitUnit(address, address2)
  if (street.includes('/')) return null
  return {
    street_address: street,
    ...(unit === null ? {} : { sub_premise: unit }),
    locality: city,
    territory: state,
    postal_code: postCode,
    country,
  }
}

const ID = '(?:\\d{1,5}[a-z]?|[a-z]\\d{0,4})'
const NAMED = `(?:(?:unit|apartment|apt|flat|suite|ste|shop|office|villa|townhouse|studio|level|lvl|floor|room)\\.? ?#?${ID}|u ?\\d{1,5}[a-z]?)`
const STREET = '\\d+[a-z]?(?: ?- ?\\d+[a-z]?)? \\D.*'
const UNIT_ALONE = new RegExp(`^(?:#?${ID}|${NAMED}(?:,? ${NAMED})*)$`, 'i')
/** "Unit 5, 12 Beach Rd", "Level 3 Suite 2, 120 Collins St", "5/12 Beach Rd" */
const UNIT_FIRST = new RegExp(`^(?:(${NAMED}(?:,? ${NAMED})*),? |(${ID}|${NAMED}) ?/ ?)(${STREET})$`, 'i')

/** A second line that names no unit (a building) goes after the street, as DoorDash requires. */
function splitUnit(address: string, address2: string | null): { street: string; unit: string | null } {
  const line = plain(address)
  const second = plain(address2 ?? '')
  const [, named, slashed, rest] = UNIT_FIRST.exec(line) ?? []
  const isUnit = UNIT_ALONE.test(second)
  const units = [isUnit ? second : '', named ?? slashed ?? ''].filter(Boolean)
  const street = [rest ?? line, isUnit ? '' : second].filter(Boolean).join(', ')
  return { street, unit: units.length > 0 ? units.join(', ') : null }
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
