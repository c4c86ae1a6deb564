import { z } from 'zod'
import { DELIVERY_MODES, DELIVERY_TYPES, PRODUCT_TYPES, STATES } from '../../../domain/values.ts'
import { textFields } from '../../input/text-fields.ts'
import { LineItems, Parcels } from '../fields/parcel.ts'
import {
  cents,
  countryCode,
  emailText,
  freeText,
  lineText,
  phoneText,
  referenceText,
  requestTime,
} from '../fields/text.ts'
import { quoteId } from './quote-schema.ts'

const place = {
  city: lineText(100).meta({ examples: ['Carlton'] }),
  state: z
    .enum(STATES)
    .meta({
      description:
        'In requests also its name or ISO 3166-2 code, in any case. Responses use the abbreviation.',
    })
    .register(textFields, { textClass: 'state' }),
  post_code: z
    .string()
    .regex(/^[0-9]{4}$/)
    .meta({ 'x-rule': 'must be an Australian postcode of four digits', examples: ['3053'] })
    .register(textFields, { textClass: 'code' }),
}
const businessPlace = {
  business: z
    .boolean()
    .optional()
    .meta({ description: '`true`: a business address. Otherwise the address is residential.' }),
  company_name: lineText(200).optional().meta({ description: 'Required when `business` is true.' }),
}
const street = lineText(200).meta({ examples: ['12 Drummond Street'] })

export const Address = z
  .strictObject({
    address: street,
    address2: lineText(200).optional(),
    ...place,
    country: countryCode,
    ...businessPlace,
    name: lineText(200).optional(),
  })
  .meta({ id: 'Address' })

export const QuoteAddress = z
  .strictObject({
    address: street.optional(),
    address2: lineText(200).optional(),
    ...place,
    country: countryCode.optional(),
    ...businessPlace,
    name: lineText(200).optional(),
  })
  .meta({ id: 'QuoteAddress' })

export const Customer = z
  .strictObject({
    first_name: lineText(100).meta({ examples: ['Ada'] }),
    last_name: lineText(100).meta({ examples: ['Nguyen'] }),
    phone: phoneText,
    email: emailText,
    country: countryCode.optional(),
  })
  .meta({ id: 'Customer' })

export const ProductTypes = z
  .strictObject(
    Object.fromEntries(PRODUCT_TYPES.map((type) => [type, z.boolean().optional()])) as Record<
      (typeof PRODUCT_TYPES)[number],
      z.ZodOptional<z.ZodBoolean>
    >,
  )
  .meta({ id: 'ProductTypes', description: 'The regulated goods in the order.' })

export const ProviderOptions = z
  .strictObject({ provider: lineText(50).optional(), service: lineText(50).optional() })
  .meta({
    id: 'ProviderOptions',
    description: 'Requires this carrier and service. Only for accounts with their own carriers.',
  })

export const StaffCourier = z
  .strictObject({ phone: phoneText, driver_name: lineText(200), driver_id: referenceText().optional() })
  .meta({ id: 'StaffCourier' })

const store = {
  store_id: referenceText().optional().meta({ description: 'Takes precedence over `store_reference`.' }),
  store_reference: referenceText()
    .optional()
    .meta({ examples: ['melbourne-cbd'] }),
}

const options = {
  delivery_type: z.enum(DELIVERY_TYPES).optional(),
  delivery_mode: z.enum(DELIVERY_MODES).optional(),
  use_dynamic_RFP: z.boolean().optional(),
  ignore_buffer_time: z.boolean().optional(),
  price_cents_total_value: cents
    .optional()
    .meta({ description: 'The declared value of the order in cents.' }),
  provider_options: ProviderOptions.optional(),
  product_types: ProductTypes.optional(),
}

export const DeliveryRequestBody = z
  .strictObject({
    ...store,
    reference: referenceText().meta({
      description:
        'Unique within the store. A reference of only `.` or `..` is accepted, but most clients remove it from a URL. Read such a delivery by its id.',
      examples: ['ORDER-1001'],
    }),
    ready_for_pickup_at: requestTime,
    ...options,
    book_delivery_now: z.boolean().optional(),
    quote_id: quoteId.optional(),
    authority_to_leave: z.boolean().optional(),
    special_instructions: freeText(1_000).optional().meta({
      description:
        'Printed in full on the label. Drover refuses instructions that do not fit on the label (`too_long`); the error has the length that fits.',
    }),
    pickup_instructions: freeText(1_000).optional(),
    address: Address,
    customer: Customer,
    line_items: LineItems.optional(),
    parcels: Parcels,
    use_staff_couriers: z.boolean().optional(),
    staff_courier: StaffCourier.optional(),
    metadata: z
      .record(z.string(), z.string().max(500))
      .optional()
      .meta({
        description:
          'Up to 50 of your own strings, each of at most 500 characters. Drover returns them with the delivery.',
        maxProperties: 50,
        propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
      }),
    suppress_notifications: z.boolean().optional(),
  })
  .meta({ id: 'DeliveryRequest' })
export type DeliveryRequestBody = z.infer<typeof DeliveryRequestBody>

export const QuoteRequestBody = z
  .strictObject({
    ...store,
    ready_for_pickup_at: requestTime
      .optional()
      .meta({ description: 'When the order is ready. Absent: ready now.' }),
    ...options,
    address: QuoteAddress,
    line_items: LineItems.min(1),
    parcels: Parcels,
  })
  .meta({ id: 'QuoteRequest' })
export type QuoteRequestBody = z.infer<typeof QuoteRequestBody>

export const AmendBody = z
  .strictObject({
    ready_for_pickup_at: requestTime,
    reference: referenceText().optional(),
    delivery_type: z.enum(DELIVERY_TYPES).optional(),
    special_instructions: freeText(1_000).optional(),
    address: Address.optional(),
    customer: Customer.optional(),
    line_items: LineItems.optional(),
    parcels: Parcels.optional(),
  })
  .meta({
    id: 'AmendRequest',
    description: 'Only the fields to change. Objects and lists replace the existing values completely.',
  })

/** The optional fields that an amend removes when it sends them empty. */
export const CLEARABLE = ['special_instructions', 'delivery_type', 'line_items'] as const

type Sent = z.infer<typeof AmendBody>
/** The amendment after validation. Null: the field is removed. */
export type AmendBody = Omit<Sent, Clearable> & { [Name in Clearable]?: Sent[Name] | null }
type Clearable = (typeof CLEARABLE)[number]
