import type { Delivery, DeliveryRequest, QuoteRequest } from '../../shared/api.generated.ts'
import { isoLocal, toInstantMs } from '../../shared/times.ts'

/** A parcel row as typed: numbers are text until they are sent. */
export type ParcelDraft = {
  reference: string
  type: string
  length: string
  width: string
  height: string
  weight: string
  quantity: string
  dangerous: string
  /** The current parcel, if the form amends one: fields that the form does not show stay. */
  before: Delivery['parcels'][number] | null
}

/** The form as typed; the functions below convert it. */
export type Draft = {
  reference: string
  readyAt: string
  deliveryType: string | null
  /** The chosen service, if it is not the one that is booked first for its delivery type. */
  service: { provider: string; service: string } | null
  firstName: string
  lastName: string
  phone: string
  email: string
  address: string
  address2: string
  company: string
  city: string
  state: string
  postCode: string
  parcels: readonly ParcelDraft[]
  instructions: string
  leave: boolean
  bookNow: boolean
  courierPhone: string | null
}

export const FIRST_PARCEL: ParcelDraft = {
  reference: 'P1',
  type: 'carton',
  length: '',
  width: '',
  height: '',
  weight: '',
  quantity: '1',
  dangerous: '',
  before: null,
}

export function emptyDraft(state: string, readyAt: string): Draft {
  return {
    reference: '',
    readyAt,
    deliveryType: null,
    service: null,
    firstName: '',
    lastName: '',
    phone: '',
    email: '',
    address: '',
    address2: '',
    company: '',
    city: '',
    state,
    postCode: '',
    parcels: [FIRST_PARCEL],
    instructions: '',
    leave: false,
    bookNow: false,
    courierPhone: null,
  }
}

/** Whether leaving the form would lose what the person entered. */
export function hasInput(draft: Draft): boolean {
  return JSON.stringify(draft) !== JSON.stringify(emptyDraft(draft.state, draft.readyAt))
}

type Origin = { time_zone: string; address: { state: string } }

/** The draft at another store: ready at the same instant. A state that came from the first store changes too. */
export function moveDraft(draft: Draft, from: Origin, to: Origin): Draft {
  const readyMs = toInstantMs(draft.readyAt, from.time_zone)
  const isStateUntouched = draft.state === from.address.state && draft.city === '' && draft.postCode === ''
  return {
    ...draft,
    readyAt: Number.isNaN(readyMs) ? draft.readyAt : isoLocal(readyMs, to.time_zone),
    state: isStateUntouched ? to.address.state : draft.state,
    service: null,
    courierPhone: null,
  }
}

/** A draft of an existing delivery, to amend it. */
export function draftOf(delivery: Delivery): Draft {
  const { customer, address } = delivery
  return {
    reference: delivery.reference,
    readyAt: delivery.ready_for_pickup_at.slice(0, 16),
    deliveryType: delivery.delivery_type,
    service: null,
    firstName: customer.first_name,
    lastName: customer.last_name,
    phone: customer.phone,
    email: customer.email ?? '',
    address: address.address,
    address2: address.address2 ?? '',
    company: address.company_name ?? '',
    city: address.city,
    state: address.state,
    postCode: address.post_code,
    parcels: delivery.parcels.map((parcel) => ({
      reference: parcel.reference,
      type: parcel.type ?? 'carton',
      length: String(parcel.length_cm),
      width: String(parcel.width_cm),
      height: String(parcel.height_cm),
      weight: String(parcel.weight_kg),
      quantity: String(parcel.quantity),
      dangerous: parcel.dangerous_goods?.dangerous_goods_definition ?? '',
      before: parcel,
    })),
    instructions: delivery.special_instructions ?? '',
    leave: delivery.authority_to_leave ?? false,
    bookNow: false,
    courierPhone: null,
  }
}

type Parcels = DeliveryRequest['parcels']

/** The parcels as typed: the server reports missing and wrong fields. */
export function parcelsOf({ parcels }: Pick<Draft, 'parcels'>): Parcels {
  return parcels.map(({ before, reference, type, length, width, height, weight, quantity, dangerous }) => ({
    ...(before?.description && { description: before.description }),
    reference,
    type: type as NonNullable<Parcels[number]['type']>,
    length_cm: numberOf(length),
    width_cm: numberOf(width),
    height_cm: numberOf(height),
    weight_kg: numberOf(weight),
    quantity: numberOf(quantity),
    ...dangerousGoodsOf(dangerous.trim(), before?.dangerous_goods),
  })) as Parcels
}

/** An order's overrides of a goods definition apply only to that definition. */
function dangerousGoodsOf(definition: string, before: Parcels[number]['dangerous_goods']) {
  if (!definition) return {}
  const isSame = before?.dangerous_goods_definition === definition
  return {
    contains_dangerous_goods: true,
    dangerous_goods: isSame ? before : { dangerous_goods_definition: definition },
  }
}

/** The address, with its fields that the form does not show. A company name makes it a business address. */
export function addressOf(draft: Draft, before: Partial<Delivery['address']> = {}) {
  const [address2, company] = [draft.address2.trim(), draft.company.trim()]
  const isBusiness = company !== '' && (company !== before.company_name || before.business === true)
  return {
    ...(before.name && { name: before.name }),
    address: draft.address.trim(),
    ...(address2 && { address2 }),
    city: draft.city.trim(),
    state: draft.state as 'VIC',
    post_code: draft.postCode,
    country: before.country ?? 'AU',
    ...(company && { company_name: company }),
    ...(isBusiness && { business: true }),
  }
}

/** The customer. */
export function customerOf(draft: Draft, before: Partial<Delivery['customer']> = {}) {
  return {
    first_name: draft.firstName.trim(),
    last_name: draft.lastName.trim(),
    phone: draft.phone.trim(),
    email: draft.email.trim(),
    ...(before.country && { country: before.country }),
  }
}

/** The same, or null while a field is missing. */
function wholeParcelsOf(draft: Draft): Parcels | null {
  const parcels = parcelsOf(draft)
  const whole = parcels.every(({ length_cm, width_cm, height_cm, weight_kg, quantity }) =>
    [length_cm, width_cm, height_cm, weight_kg, quantity].every(
      (value) => typeof value === 'number' && value > 0,
    ),
  )
  return whole && parcels.length > 0 ? parcels : null
}

// A quote asks for the contents of the parcels; a clerk has entered their weight.
const SOMETHING = { code: 'ORDER', name: 'Order', price_cents: 0, quantity: 1 }

/** The quote request, once there is a suburb and a parcel; for an existing delivery with all of its requirements. */
export function quoteOf(draft: Draft, storeReference: string, delivery?: Delivery): QuoteRequest | null {
  const parcels = wholeParcelsOf(draft)
  if (!parcels || !draft.city.trim() || !/^\d{4}$/.test(draft.postCode)) return null
  const { address, ...place } = addressOf(draft, delivery?.address)
  return {
    store_reference: storeReference,
    ...(draft.readyAt && { ready_for_pickup_at: draft.readyAt }),
    ...(delivery && hiddenFieldsOf(delivery)),
    address: { ...place, ...(address && { address }) },
    line_items: delivery?.line_items.length ? delivery.line_items : [SOMETHING],
    parcels,
  }
}

/** The order's options that the form does not show. */
function hiddenFieldsOf(delivery: Delivery) {
  const { delivery_mode, product_types, price_cents_total_value, provider_options, ignore_buffer_time } =
    delivery
  return {
    product_types,
    ...(delivery_mode && { delivery_mode }),
    ...(price_cents_total_value !== undefined && { price_cents_total_value }),
    ...(provider_options && { provider_options }),
    ...(ignore_buffer_time !== undefined && { ignore_buffer_time }),
  }
}

/** The create request. */
export function contentOf(draft: Draft) {
  return {
    reference: draft.reference.trim(),
    ready_for_pickup_at: draft.readyAt,
    ...(draft.deliveryType && { delivery_type: draft.deliveryType as 'fast' }),
    ...(draft.instructions.trim() && { special_instructions: draft.instructions.trim() }),
    address: addressOf(draft),
    customer: customerOf(draft),
    parcels: parcelsOf(draft),
  }
}

/** Absent if empty; text that is not a number is unchanged. */
function numberOf(text: string): number | string | undefined {
  if (text.trim() === '') return undefined
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : text
}
