import type { Delivery, DeliveryRequest, QuoteRequest } from '../../shared/api.generated.ts'

/** A parcel row as it is typed: numbers are text until they are sent. */
export type ParcelDraft = {
  reference: string
  type: string
  length: string
  width: string
  height: string
  weight: string
  quantity: string
  dangerous: string
}

/** The form as it is typed; what it means is made of it below. */
export type Draft = {
  reference: string
  readyAt: string
  deliveryType: string | null
  firstName: string
  lastName: string
  phone: string
  email: string
  address: string
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
}

export function emptyDraft(state: string, readyAt: string): Draft {
  return {
    reference: '',
    readyAt,
    deliveryType: null,
    firstName: '',
    lastName: '',
    phone: '',
    email: '',
    address: '',
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

/** A delivery as it stands, to be amended. */
export function draftOf(delivery: Delivery): Draft {
  const { customer, address } = delivery
  return {
    reference: delivery.reference,
    readyAt: delivery.ready_for_pickup_at.slice(0, 16),
    deliveryType: delivery.delivery_type,
    firstName: customer.first_name,
    lastName: customer.last_name,
    phone: customer.phone,
    email: customer.email ?? '',
    address: address.address,
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
    })),
    instructions: delivery.special_instructions ?? '',
    leave: delivery.authority_to_leave ?? false,
    bookNow: false,
    courierPhone: null,
  }
}

type Parcels = DeliveryRequest['parcels']

/** The parcels as they are typed: the server says of each field what is missing or wrong. */
function parcelsOf({ parcels }: Draft) {
  return parcels.map(({ reference, type, length, width, height, weight, quantity, dangerous }) => ({
    reference,
    type: type as NonNullable<Parcels[number]['type']>,
    length_cm: numberOf(length),
    width_cm: numberOf(width),
    height_cm: numberOf(height),
    weight_kg: numberOf(weight),
    quantity: numberOf(quantity),
    ...(dangerous.trim() && {
      contains_dangerous_goods: true,
      dangerous_goods: { dangerous_goods_definition: dangerous.trim() },
    }),
  }))
}

/** The same, or null while one of them is not all there. */
function wholeParcelsOf(draft: Draft): Parcels | null {
  const parcels = parcelsOf(draft)
  const whole = parcels.every(({ length_cm, width_cm, height_cm, weight_kg, quantity }) =>
    [length_cm, width_cm, height_cm, weight_kg, quantity].every(
      (value) => typeof value === 'number' && value > 0,
    ),
  )
  return whole && parcels.length > 0 ? (parcels as Parcels) : null
}

/** What a quote needs, as soon as there is a suburb and a parcel. */
export function quoteOf(draft: Draft, storeReference: string): QuoteRequest | null {
  const parcels = wholeParcelsOf(draft)
  if (!parcels || !draft.city.trim() || !/^\d{4}$/.test(draft.postCode)) return null
  return {
    store_reference: storeReference,
    ...(draft.readyAt && { ready_for_pickup_at: draft.readyAt }),
    address: { city: draft.city.trim(), state: draft.state as 'VIC', post_code: draft.postCode },
    // A quote asks what is in the parcels; a clerk has told what they weigh.
    line_items: [{ code: 'ORDER', name: 'Order', price_cents: 0, quantity: 1 }],
    parcels,
  }
}

/** The parts of a request that creating and amending share. */
export function contentOf(draft: Draft) {
  return {
    reference: draft.reference.trim(),
    ready_for_pickup_at: draft.readyAt,
    ...(draft.deliveryType && { delivery_type: draft.deliveryType as 'fast' }),
    ...(draft.instructions.trim() && { special_instructions: draft.instructions.trim() }),
    address: {
      address: draft.address.trim(),
      city: draft.city.trim(),
      state: draft.state as 'VIC',
      post_code: draft.postCode,
      country: 'AU',
    },
    customer: {
      first_name: draft.firstName.trim(),
      last_name: draft.lastName.trim(),
      phone: draft.phone.trim(),
      email: draft.email.trim(),
    },
    parcels: parcelsOf(draft) as Parcels,
  }
}

/** Left out where nothing is typed, and as it is typed where that is no number. */
function numberOf(text: string): number | string | undefined {
  if (text.trim() === '') return undefined
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : text
}
