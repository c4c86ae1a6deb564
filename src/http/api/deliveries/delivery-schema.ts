import { z } from 'zod'
import { BOOKING_ATTEMPTS } from '../../../domain/delivery/actions/why-not.ts'
import { CANCELLATION_PURPOSES, MANIFEST_STATUSES } from '../../../domain/delivery/delivery.ts'
import { STATUSES } from '../../../domain/delivery/status.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { BookedParcel, LineItem } from '../fields/parcel.ts'
import { recordTime, windowTime } from '../fields/text.ts'
import { Address, Customer, ProductTypes, ProviderOptions, StaffCourier } from './delivery-request-schema.ts'
import { EventChanges } from './event-changes-schema.ts'

export const Delivery = z
  .strictObject({
    id: z.string().meta({ examples: ['dlv_01kax3v8y2m4s6t8w0z2b4d6f8'] }),
    brand_id: z.string(),
    store_id: z.string(),
    store_reference: z.string(),
    reference: z.string(),
    status: z.enum(STATUSES),
    sub_status: z
      .string()
      .optional()
      .meta({ description: 'A more detailed status from the carrier, for example `in_transit`.' }),
    status_reason: z
      .string()
      .optional()
      .meta({ description: 'Why the delivery waits or is on hold, as a sentence for people.' }),
    status_remedy: z.string().optional().meta({
      description:
        'What a person can do about a delivery on hold, as a sentence for people. If you ask the carrier yourself, record its answer with `settle-booking`.',
    }),
    attention: z.string().optional().meta({
      description:
        'Sentences for the clerk about a problem that the status does not show: a carrier has an extra booking that may not be cancelled yet. `GET …/extra-bookings` lists them. Absent if there is nothing to do.',
    }),
    left_behind: z
      .array(z.strictObject({ reference: z.string(), quantity: z.int() }))
      .optional()
      .meta({
        description:
          'The units of each parcel that the store’s courier did not take at pickup. `parcels` still has all of them. Send them in another delivery, and tell the customer.',
      }),
    address_warning: z.string().optional().meta({
      description:
        'The suburb is known under another postcode than the one given, within 50 km: names both. Drover went by the postcode. Check the address before hand-over.',
    }),
    label_warnings: z.array(z.string()).optional().meta({
      description:
        'A sentence for each text with characters that our label fonts lack, such as emoji. It says what the label prints instead.',
    }),
    delivery_type: z.enum(DELIVERY_TYPES),
    delivery_mode: z
      .literal('customer_pickup')
      .optional()
      .meta({ description: 'Present only for customer pickup.' }),
    consignment_number: z
      .string()
      .optional()
      .meta({ description: 'Present when a carrier has confirmed the booking.' }),
    special_instructions: z.string().optional(),
    pickup_instructions: z.string().optional(),
    authority_to_leave: z.boolean().optional(),
    price_cents_total_value: z.int().optional(),
    provider_options: ProviderOptions.optional(),
    ignore_buffer_time: z.boolean().optional(),
    use_dynamic_RFP: z.boolean().optional(),
    ready_for_pickup_at: windowTime.meta({
      description:
        'When the order is ready for pickup. With `use_dynamic_RFP`, Drover moves it to the time when the carrier can collect.',
    }),
    from_datetime: windowTime.optional(),
    to_datetime: windowTime.optional(),
    created_at: recordTime,
    updated_at: recordTime,
    requested_at: recordTime.optional().meta({
      description:
        'When the delivery became `requested` and entered the booking queue. The `attempts` in its decision (`GET …/decision`) show when Drover asked each carrier.',
    }),
    booked_at: recordTime.optional(),
    pending_cancellation: z
      .strictObject({ at: recordTime, purpose: z.enum(CANCELLATION_PURPOSES), reason: z.string().optional() })
      .optional()
      .meta({
        description:
          'A cancellation with the carrier is pending, to `cancel` the delivery or to plan it again (`replan`). Until the carrier answers, the delivery stays with that carrier and goes on no manifest. If the delivery is `on_hold`, Drover first finds out whether the carrier has it, cancels it with the carrier if so, and then cancels the delivery.',
      }),
    manifest_status: z.enum(MANIFEST_STATUSES),
    manifest_group: z.string().optional(),
    manifest_id: z.string().optional().meta({
      description:
        'The manifest that the delivery was sent on, or is being sent on. Drafts do not reserve deliveries.',
    }),
    booking_attempt: z.enum(BOOKING_ATTEMPTS).optional().meta({
      description:
        'A booking whose outcome is open. `in_progress`: Drover is asking a carrier, or will ask it again soon. Until the outcome is known, the delivery cannot be amended, assigned or cancelled. `unanswered`: the carrier never answered and may have the delivery. Cancel it, or call `settle-booking` when it is `on_hold`.',
    }),
    carrier_provider: z.string().optional().meta({ description: 'The name of the carrier.' }),
    provider: z
      .string()
      .optional()
      .meta({ description: 'The key of the carrier, as in `provider_options`.' }),
    service_code: z.string().optional(),
    carrier_code: z.string().optional(),
    tracking_url: z.string().meta({
      format: 'uri',
      description:
        'The customer’s tracking page. The URL cannot be guessed. It works until 30 days after the delivery has ended.',
    }),
    label_url: z.string().optional().meta({
      format: 'uri',
      description:
        'The label as PDF, after the booking. A signed URL: the same in every response, and valid until 30 days after the booking.',
    }),
    proof_url: z.string().optional().meta({
      format: 'uri',
      description:
        'The proof of delivery as PDF, after a staff courier has delivered, or after a courier network has sent its courier’s photo. A signed URL, valid for 24 hours and new in every response.',
    }),
    delivery_pin: z.string().optional().meta({
      description:
        'A PIN of four digits with which the customer can confirm receipt to a staff courier. Share it only with the customer.',
    }),
    dangerous_goods_form_url: z.string().optional().meta({
      format: 'uri',
      description:
        'The dangerous goods declaration as PDF, if the carrier uses one. A signed URL like `label_url`.',
    }),
    address: Address.extend({ lat: z.number(), lng: z.number() }).meta({ id: 'LocatedAddress' }),
    store_location: z.strictObject({ name: z.string(), lat: z.number(), lng: z.number() }).optional(),
    customer: Customer.partial({ email: true }).meta({ id: 'DeliveryCustomer' }),
    line_items: z.array(LineItem),
    parcels: z.array(BookedParcel),
    use_staff_couriers: z.literal(true).optional(),
    staff_courier: StaffCourier.optional(),
    additionals: z.strictObject({ is_residential: z.boolean() }),
    service_quote: z
      .strictObject({
        price_cents: z.int(),
        from_datetime: windowTime.optional(),
        to_datetime: windowTime.optional(),
        carrier_quote: z
          .strictObject({ id: z.string().optional(), expires_at: recordTime })
          .optional()
          .describe('The carrier’s own quote, if the carrier sets the price: its id and when it expires.'),
      })
      .optional(),
    product_types: ProductTypes,
    metadata: z.record(z.string(), z.string()).optional(),
    suppress_notifications: z.literal(true).optional(),
  })
  .meta({ id: 'Delivery' })

export const DeliveryAnswer = z.strictObject({ data: Delivery }).meta({ id: 'DeliveryAnswer' })

export const DeliveryListAnswer = makeListSchema(Delivery).meta({ id: 'DeliveryListAnswer' })

export const DeliveryEventsAnswer = makeListSchema(
  z
    .strictObject({
      id: z.string(),
      type: z.string(),
      at: recordTime,
      received_at: recordTime.optional().meta({
        description: 'When Drover received the carrier’s update. `at` is the carrier’s own time.',
      }),
      duplicate: z
        .literal(true)
        .optional()
        .meta({ description: 'The carrier had sent the same update before.' }),
      source: z.enum(['api', 'worker', 'carrier', 'driver', 'operator']),
      from: z.enum(STATUSES).optional(),
      to: z.enum(STATUSES).optional(),
      sub_status: z.string().optional(),
      consignment_number: z.string().optional(),
      other_consignment_number: z.string().optional().meta({
        description:
          'The consignment number of another booking that the event is about: one that a carrier still has after Drover had abandoned it. It is not the delivery’s; `detail` says what to do.',
      }),
      detail: z.string().optional(),
      changes: EventChanges.optional(),
    })
    .meta({ id: 'DeliveryEvent' }),
).meta({ id: 'DeliveryEventsAnswer' })

export const DeliveryCarrierEventsAnswer = makeListSchema(
  z
    .strictObject({
      id: z.string().meta({ description: 'The carrier’s own id of the update.' }),
      at: recordTime.meta({ description: 'The carrier’s own time of the update.' }),
      received_at: recordTime,
      status: z.enum(STATUSES).optional().meta({
        description:
          'The Drover status that the update maps to. Absent: the update does not change the status.',
      }),
      sub_status: z.string().optional(),
      message: z.string(),
    })
    .meta({ id: 'DeliveryCarrierEvent' }),
).meta({ id: 'DeliveryCarrierEventsAnswer' })

export const CANCELLATIONS = ['unconfirmed', 'refused', 'by_phone_only', 'never_confirmed'] as const

export const ExtraBookingsAnswer = makeListSchema(
  z
    .strictObject({
      carrier_name: z.string(),
      consignment_number: z.string(),
      cancellation: z.enum(CANCELLATIONS).meta({
        description:
          '`unconfirmed`: Drover keeps asking the carrier to cancel it. For the other values, ring the carrier: it refused, takes no cancellations by API, or never confirmed.',
      }),
    })
    .meta({ id: 'ExtraBooking' }),
).meta({ id: 'ExtraBookingsAnswer' })
