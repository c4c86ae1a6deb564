import { z } from 'zod'
import { MANIFEST_STATUSES, WISHES } from '../../../domain/delivery/delivery.ts'
import { STATUSES } from '../../../domain/delivery/status.ts'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { listOf } from '../fields/pagination.ts'
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
    sub_status: z.string().optional().meta({ description: 'Finer news of the carrier, e.g. `in_transit`.' }),
    status_reason: z.string().optional().meta({ description: 'Why it waits or is held, for people.' }),
    attention: z.string().optional().meta({
      description:
        'Sentences for the clerk about a problem that the status does not show: a carrier holds an extra booking that may not be cancelled yet. Absent if there is nothing to do.',
    }),
    delivery_type: z.enum(DELIVERY_TYPES),
    delivery_mode: z.literal('customer_pickup').optional().meta({ description: 'Only for customer pickup.' }),
    consignment_number: z.string().optional().meta({ description: 'From booking on.' }),
    special_instructions: z.string().optional(),
    pickup_instructions: z.string().optional(),
    authority_to_leave: z.boolean().optional(),
    price_cents_total_value: z.int().optional(),
    provider_options: ProviderOptions.optional(),
    ignore_buffer_time: z.boolean().optional(),
    use_dynamic_RFP: z.boolean().optional(),
    ready_for_pickup_at: windowTime.meta({
      description: 'With `use_dynamic_RFP`, as moved to when the carrier can be there.',
    }),
    from_datetime: windowTime.optional(),
    to_datetime: windowTime.optional(),
    created_at: recordTime,
    updated_at: recordTime,
    requested_at: recordTime.optional().meta({
      description:
        'When the delivery became `requested` and entered the booking queue. The `attempts` in its decision (`GET …/decision`) say when Drover asked each carrier.',
    }),
    booked_at: recordTime.optional(),
    asked_back: z
      .strictObject({ at: recordTime, wish: z.enum(WISHES), reason: z.string().optional() })
      .optional()
      .meta({
        description:
          'Its carrier was asked to let it go, to `cancel` it or to `plan_anew`, and has not answered yet. It stays with that carrier until it does, and goes on no manifest. While it is `on_hold`: it is cancelled once it is known whether its carrier has it, and asked back from there if so.',
      }),
    manifest_status: z.enum(MANIFEST_STATUSES),
    manifest_group: z.string().optional(),
    carrier_provider: z.string().optional().meta({ description: 'The carrier’s name.' }),
    provider: z.string().optional().meta({ description: 'The carrier’s key, as in `provider_options`.' }),
    service_code: z.string().optional(),
    carrier_code: z.string().optional(),
    tracking_url: z.string().meta({
      format: 'uri',
      description: 'Where the customer follows it; nobody can guess it. Until 30 days after the end.',
    }),
    label_url: z.string().optional().meta({
      format: 'uri',
      description: 'The label as PDF, once booked; signed, good for 24 h, fresh in every answer.',
    }),
    proof_url: z.string().optional().meta({
      format: 'uri',
      description:
        'The proof of delivery as PDF, once a staff courier has delivered it, or a network’s courier has and his picture has come; signed as `label_url`.',
    }),
    delivery_pin: z.string().optional().meta({
      description:
        'Four digits by which the customer may prove the delivery to a staff courier; tell nobody else.',
    }),
    dangerous_goods_form_url: z.string().optional().meta({
      format: 'uri',
      description:
        'The dangerous goods declaration as PDF, where the carrier makes one; signed as `label_url`.',
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
          .describe('Where the price is the carrier’s own: what it is held to, and until when.'),
      })
      .optional(),
    product_types: ProductTypes,
    metadata: z.record(z.string(), z.string()).optional(),
    suppress_notifications: z.literal(true).optional(),
  })
  .meta({ id: 'Delivery' })

export const DeliveryAnswer = z.strictObject({ data: Delivery }).meta({ id: 'DeliveryAnswer' })

export const DeliveryListAnswer = listOf(Delivery).meta({ id: 'DeliveryListAnswer' })

export const DeliveryEventsAnswer = listOf(
  z
    .strictObject({
      id: z.string(),
      type: z.string(),
      at: recordTime,
      arrived_at: recordTime.optional().meta({
        description: 'When a carrier’s news came; `at` is the carrier’s own time of it.',
      }),
      again: z.literal(true).optional().meta({ description: 'Its carrier had told the same before.' }),
      source: z.enum(['api', 'worker', 'carrier', 'driver', 'operator']),
      from: z.enum(STATUSES).optional(),
      to: z.enum(STATUSES).optional(),
      sub_status: z.string().optional(),
      consignment_number: z.string().optional(),
      detail: z.string().optional(),
      changes: EventChanges.optional(),
    })
    .meta({ id: 'DeliveryEvent' }),
).meta({ id: 'DeliveryEventsAnswer' })

export const DeliveryCarrierNewsAnswer = listOf(
  z
    .strictObject({
      id: z.string().meta({ description: 'The carrier’s own.' }),
      at: recordTime.meta({ description: 'The carrier’s own time of it.' }),
      arrived_at: recordTime,
      status: z
        .enum(STATUSES)
        .optional()
        .meta({ description: 'What it means here; without it, it moves nothing.' }),
      sub_status: z.string().optional(),
      said: z.string(),
    })
    .meta({ id: 'DeliveryCarrierNews' }),
).meta({ id: 'DeliveryCarrierNewsAnswer' })
