import { z } from 'zod'
import { LINK_STATUSES } from '../../../domain/links/link.ts'
import { MESSAGE_KINDS, MESSAGE_STATUSES } from '../../../domain/messages/message.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { Address, Customer } from '../deliveries/delivery-request-schema.ts'
import { QuoteOption, quoteId } from '../deliveries/quote-schema.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { LineItems, Parcels } from '../fields/parcel.ts'
import { freeText, lineText, recordTime, referenceText, requestTime, windowTime } from '../fields/text.ts'
import { PageBrand, PageHelp } from '../tracking/tracking-schema.ts'

export const LinkRequestBody = z
  .strictObject({
    store_reference: referenceText().meta({ examples: ['melbourne-cbd'] }),
    reference: referenceText().meta({
      description:
        'The order number, which the customer must enter. It becomes the reference of the booked delivery.',
    }),
    expires_at: requestTime.optional().meta({ description: 'When the link expires. Absent: never.' }),
    customer: Customer.partial({ email: true }).meta({ id: 'LinkCustomer' }),
    address: Address.partial({ country: true }).meta({ id: 'LinkAddress' }),
    line_items: LineItems.min(1),
    parcels: Parcels,
  })
  .meta({ id: 'LinkRequest' })
export type LinkRequestBody = z.infer<typeof LinkRequestBody>

export const CreatedLinkAnswer = z
  .strictObject({
    data: z.strictObject({
      id: z.string(),
      link: z.string().meta({
        format: 'uri',
        description: 'The URL that is sent to the customer. Anyone with the URL can try to book.',
      }),
    }),
  })
  .meta({ id: 'CreatedLinkAnswer' })

export const LinkListQuery = z.strictObject({
  limit: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The maximum number of results in a page. Default 50.' }),
  after: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: '`pagination.next` of the previous page.' }),
  reference: referenceText().optional(),
})

const Link = z
  .strictObject({
    id: z.string(),
    status: z.enum(LINK_STATUSES),
    store_id: z.string(),
    store_reference: z.string(),
    reference: z.string(),
    created_at: recordTime,
    opened_at: recordTime
      .optional()
      .meta({ description: 'When an order number was first entered on the page.' }),
    expires_at: recordTime.optional(),
    revoked_at: recordTime.optional(),
    booked_at: recordTime.optional(),
    delivery_id: z.string().optional(),
    messages: z
      .array(
        z.strictObject({
          kind: z.enum(MESSAGE_KINDS),
          status: z.enum(MESSAGE_STATUSES),
          reason: z
            .string()
            .optional()
            .meta({ description: 'Why the message was not sent, or is not sent yet.' }),
          sent_at: recordTime.optional(),
        }),
      )
      .meta({ description: 'The latest message of each kind to the customer.' }),
  })
  .meta({ id: 'Link' })

export const LinkAnswer = z.strictObject({ data: Link }).meta({ id: 'LinkAnswer' })
export const LinkListAnswer = makeListSchema(Link).meta({ id: 'LinkListAnswer' })

/** The data that is public before verification: the brand of the link, but nothing of the order. */
export const LinkFrontAnswer = z
  .strictObject({
    data: z.strictObject({
      status: z.enum(['open', 'booked']),
      brand: PageBrand,
      help: PageHelp,
      expires_at: recordTime.optional(),
      attempts_left: z.int(),
    }),
  })
  .meta({ id: 'LinkFrontAnswer' })

export const VerifyLinkBody = z
  .strictObject({
    reference: lineText(200).meta({ description: 'The order number. Upper and lower case are equal.' }),
  })
  .meta({ id: 'VerifyLinkRequest' })
export type VerifyLinkBody = z.infer<typeof VerifyLinkBody>

export const BookLinkBody = z
  .strictObject({
    delivery_type: z.enum(DELIVERY_TYPES),
    quote_id: quoteId.optional().meta({
      description:
        'The `quote_id` of the option that the customer saw. Drover books it as shown or rejects the request. The booking page always sends it.',
    }),
    special_instructions: freeText(1_000).optional(),
    authority_to_leave: z.boolean().optional(),
  })
  .meta({ id: 'BookLinkRequest' })
export type BookLinkBody = z.infer<typeof BookLinkBody>

const LinkBooking = z
  .strictObject({
    reference: z.string(),
    status: z.string(),
    delivery_type: z.enum(DELIVERY_TYPES),
    price_cents: z.int().optional(),
    tracking_url: z.string().meta({ format: 'uri' }),
    from_datetime: windowTime.optional(),
    to_datetime: windowTime.optional(),
  })
  .meta({ id: 'LinkBooking' })

export const LinkBookingAnswer = z.strictObject({ data: LinkBooking }).meta({ id: 'LinkBookingAnswer' })

export const VerifiedLinkAnswer = z
  .strictObject({
    data: z.strictObject({
      session: z.string().meta({ description: 'The session to send as `Link-Session` in later requests.' }),
      expires_in: z.int().meta({ description: 'The lifetime of the session in seconds.' }),
      status: z.enum(['open', 'booked']),
      expires_at: recordTime.optional(),
      order: z.strictObject({
        reference: z.string(),
        brand: z.string(),
        store: z.string(),
        customer: z.strictObject({ first_name: z.string(), last_name: z.string() }),
        phone_last_digits: z
          .string()
          .meta({ description: 'The last two digits of the phone number that receives messages.' }),
        address: Address,
        line_items: z.array(z.strictObject({ name: z.string(), quantity: z.int() })),
        authority_to_leave: z.boolean().optional(),
        note: z.string().optional(),
        time_zone: z
          .string()
          .meta({ description: 'The time zone of the delivery address, in which windows are shown.' }),
        now: windowTime,
      }),
      booking: LinkBooking.optional().meta({ description: 'The booking, if the order is already booked.' }),
    }),
  })
  .meta({ id: 'VerifiedLinkAnswer' })

const option = QuoteOption.omit({ provider: true, service: true, carrier_code: true })
  .required({ quote_id: true, valid_until: true })
  .meta({ id: 'LinkOption' })

export const LinkOptionsAnswer = z
  .strictObject({
    data: z.strictObject({
      fast: option.optional(),
      flexible: option.optional(),
      standard: option.optional(),
      express: option.optional(),
    }),
  })
  .meta({ id: 'LinkOptionsAnswer' })
