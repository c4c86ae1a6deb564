import { z } from 'zod'
import type { FieldError } from './errors.ts'

const MAX_INT32 = 2_147_483_647

const phone = z.string().regex(/^\+[1-9]\d{6,14}$/, 'Invalid phone number format')
const cents = z.number().int().min(0).max(MAX_INT32)
const instant = z.iso.datetime({ offset: true })
const window = z.object({ start_time: instant, end_time: instant })
const need = z.enum(['required', 'preferred', 'none'])

const Item = z.looseObject({
  name: z.string().min(1).max(100),
  description: z.string().min(1).max(500).optional(),
  quantity: z.number().int().min(1).max(100),
  external_id: z.string().min(1).max(100).optional(),
  weight: z.number().min(0).max(999.9995).optional(),
  price: z.number().int().min(0).max(9_999_999).optional(),
})

/** Of Australia. "Do not include the unit number or slashes in the street address." */
const AddressComponents = z.object({
  street_address: z
    .string()
    .regex(/^[^/]*$/, 'Pass the unit number in sub_premise')
    .optional(),
  sub_premise: z.string().optional(),
  locality: z.string().optional(),
  territory: z.enum(['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']).optional(),
  postal_code: z
    .string()
    .regex(/^\d{4}$/)
    .optional(),
  country: z.literal('AU').optional(),
})

const fields = {
  pickup_address: z.string().min(1).optional(),
  pickup_business_name: z.string().optional(),
  pickup_phone_number: phone.optional(),
  pickup_instructions: z.string().optional(),
  pickup_reference_tag: z.string().optional(),
  pickup_external_business_id: z.string().optional(),
  pickup_external_store_id: z.string().optional(),
  dropoff_business_name: z.string().optional(),
  dropoff_address_components: AddressComponents.optional(),
  dropoff_location: z.object({ lat: z.number(), lng: z.number() }).optional(),
  dropoff_instructions: z.string().optional(),
  dropoff_contact_given_name: z.string().optional(),
  dropoff_contact_family_name: z.string().optional(),
  dropoff_contact_send_notifications: z.boolean().optional(),
  dropoff_options: z
    .object({
      signature: need.optional(),
      id_verification: need.optional(),
      proof_of_delivery: z.enum(['photo_required', 'photo_preferred', 'pin_code', 'none']).optional(),
      catering_setup: z.enum(['required', 'none']).optional(),
    })
    .optional(),
  dropoff_pin_code_verification_metadata: z
    .object({
      pin_code_type: z.enum(['random_number', 'customer_phone_number', 'merchant_provided_number']),
      pin_code_value: z
        .string()
        .regex(/^\d{4}$/)
        .optional(),
    })
    .optional(),
  order_value: cents.optional(),
  items: z.array(Item).optional(),
  pickup_time: instant.optional(),
  dropoff_time: instant.optional(),
  pickup_window: window.optional(),
  dropoff_window: window.optional(),
  contactless_dropoff: z.boolean().optional(),
  action_if_undeliverable: z.enum(['return_to_pickup', 'dispose']).optional(),
  tip: cents.optional(),
  order_contains: z.record(z.string(), z.boolean()).optional(),
  dasher_allowed_vehicles: z.array(z.enum(['car', 'bicycle', 'walking'])).optional(),
  dropoff_requires_signature: z.boolean().optional(),
}

const id = z.string().regex(/^[a-zA-Z0-9\-._~]+$/, 'Invalid external delivery id')

export const QuoteRequest = z.looseObject({
  ...fields,
  external_delivery_id: id,
  dropoff_address: z.string().min(1),
  dropoff_phone_number: phone.optional(),
})
export const DeliveryRequest = QuoteRequest.extend({ dropoff_phone_number: phone })
export type DeliveryRequest = z.infer<typeof QuoteRequest>

export const AcceptRequest = z.looseObject({
  tip: fields.tip,
  dropoff_phone_number: phone.optional(),
  order_value: fields.order_value,
  pickup_phone_number: fields.pickup_phone_number,
  pickup_instructions: fields.pickup_instructions,
  pickup_reference_tag: fields.pickup_reference_tag,
  dropoff_instructions: fields.dropoff_instructions,
  contactless_dropoff: fields.contactless_dropoff,
  action_if_undeliverable: fields.action_if_undeliverable,
  items: fields.items,
})

/** `dropoff_options` and the PIN are "not updatable". */
const { dropoff_options: _, dropoff_pin_code_verification_metadata: __, ...updatable } = fields
export const UpdateRequest = z.object({
  ...updatable,
  dropoff_address: z.string().min(1).optional(),
  dropoff_phone_number: phone.optional(),
  order_ready_time: instant.optional(),
})

export const CancelRequest = z.looseObject({
  reason_code: z.string().optional(),
  should_create_return_delivery: z.boolean().optional(),
})

/** The requested times. Two complete windows take precedence over the two times. */
export function wantedTimes({ pickup_window, dropoff_window, pickup_time, dropoff_time }: DeliveryRequest) {
  const ms = (time: string | undefined) => (time === undefined ? null : Date.parse(time))
  if (pickup_window && dropoff_window) {
    return { pickupMs: ms(pickup_window.start_time), dropoffMs: ms(dropoff_window.end_time) }
  }
  return { pickupMs: ms(pickup_time), dropoffMs: ms(dropoff_time) }
}

/** Contradictions between the parts of a request. */
export function contradictions(asked: DeliveryRequest): FieldError[] {
  const { dropoff_options: options = {}, order_contains: contains = {} } = asked
  const { pickup_external_business_id: business, pickup_external_store_id: store } = asked
  const pin = options.proof_of_delivery === 'pin_code'
  const metadata = asked.dropoff_pin_code_verification_metadata !== undefined
  const rules: readonly [boolean, string, string][] = [
    [
      asked.pickup_address === undefined && store === undefined,
      'pickup_address',
      'Must provide either pickup_address or pickup_external_store_id',
    ],
    [store !== undefined && business === undefined, 'pickup_external_business_id', MISSING_BUSINESS],
    [
      contains.alcohol === true && options.id_verification !== 'required',
      'dropoff_options.id_verification',
      'Must be required when the order contains alcohol',
    ],
    [pin !== metadata, 'dropoff_pin_code_verification_metadata', 'Belongs to proof_of_delivery pin_code'],
    [
      pin && asked.contactless_dropoff === true,
      'dropoff_options.proof_of_delivery',
      'pin_code is not possible for a contactless delivery',
    ],
  ]
  return rules.filter(([broken]) => broken).map(([, field, error]) => ({ field, error }))
}

const MISSING_BUSINESS = 'missing pickup_external_business_id'
