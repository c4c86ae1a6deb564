import { z } from 'zod'
import { DELIVERY_TYPES, PACKING_GROUPS } from '../../values.ts'
import { CarrierDocument } from './document-carrier.ts'
import { modes, StoreDocument } from './document-store.ts'
import { Timing } from './document-timing.ts'
import { cents, measure, minutes, slug, text } from './primitives.ts'

const Limits = z.strictObject({
  requests_per_second: z
    .number()
    .int()
    .positive()
    .max(1_000_000)
    .default(50)
    .describe('Of each API client, in each process that serves.'),
  burst: z
    .number()
    .int()
    .positive()
    .max(1_000_000)
    .default(200)
    .describe('Requests at once after a quiet time.'),
})

const Booking = z.strictObject({
  lead_minutes: minutes
    .default(60)
    .describe('A queued delivery is booked so long before it is ready for pickup.'),
  give_up_minutes: minutes
    .default(240)
    .describe(
      'After so long past that time, or past its making if that is later, without a carrier it waits for a person.',
    ),
  replan_when_off: z
    .boolean()
    .default(false)
    .describe('True: what a carrier that is switched off has not collected is asked back and planned anew.'),
  replan_when_dark_minutes: z
    .number()
    .int()
    .min(0)
    .max(1_440)
    .nullable()
    .default(null)
    .describe(
      'A carrier that has not answered for so long is asked, as soon as it can be, for what it has not collected and what is on no manifest; each is planned anew once it is let go. null: never.',
    ),
  order: z
    .union([
      z.enum(['cheapest', 'fastest']),
      z.strictObject({
        preferred: z.array(z.string()).min(1).describe("Carriers' `provider` keys, best first."),
      }),
    ])
    .default('cheapest')
    .describe('Which option is tried first: `cheapest`, `fastest`, or { preferred: [swiftly, big_haul] }.'),
})

const OwnNetwork = z.strictObject({
  offer_minutes: minutes
    .default(15)
    .describe('How long a staff courier may think about an offer before it goes back to the store.'),
})

const People = z.strictObject({
  second_factor: z
    .enum(['optional', 'admins', 'everybody'])
    .default('optional')
    .describe('Who must have an authenticator app to work in the account; everybody may have one.'),
})

const Sms = z.strictObject({
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .max(50)
    .default(['AU'])
    .describe('Mobile numbers of these countries get SMS (ISO 3166-1 alpha-2); others are refused.'),
  per_day: z
    .number()
    .int()
    .positive()
    .max(10_000_000)
    .default(5_000)
    .describe(
      'SMS that the account sends in a day of its own time zone; later ones wait. Job offers may reach twice as many.',
    ),
})

const Retention = z.strictObject({
  delivery_days: z
    .number()
    .int()
    .min(30)
    .max(3_650)
    .default(400)
    .describe('So long after it was made a delivery is erased to what figures and invoices need.'),
  audit_days: z
    .number()
    .int()
    .min(400)
    .max(3_650)
    .default(2_557)
    .describe('How long the audit log is kept; seven years unless set.'),
})

const Quotes = z.strictObject({
  carrier_deadline_ms: z
    .number()
    .int()
    .min(100)
    .max(10_000)
    .default(1_500)
    .describe('How long a quote waits for carriers that tell their own prices; late ones are left out.'),
  hold_minutes: z
    .number()
    .int()
    .min(5)
    .max(240)
    .default(30)
    .describe('How long a `quote_id` holds its price and window, but never past the cut-off.'),
})

const Pricing = z.strictObject({
  markup_percent: z
    .number()
    .min(-100)
    .max(1000)
    .default(0)
    .describe('Added to every price; negative takes off.'),
  fixed_cents: z
    .partialRecord(z.enum(DELIVERY_TYPES), cents)
    .default({})
    .describe('One price for all options of a type, e.g. { express: 1500 }.'),
})

const Brand = z
  .strictObject({
    reference: slug.describe('Stores name their brand by it.'),
    name: text().describe('Shown to customers.'),
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'a colour as "#" and six hexadecimal digits, such as "#17513f"')
      .optional()
      .describe('Of the band on tracking and booking pages; darkened where no text could be read on it.'),
    allocation_strategy: z
      .enum(['distance_only', 'time_and_distance', 'timeline_over_distance'])
      .default('distance_only')
      .describe('How stores are ranked for a destination.'),
    buffer_minutes: minutes.default(0).describe('Added before the earliest pickup of its stores.'),
    processing_minutes: minutes.default(0).describe('What its stores need to pick and pack an order.'),
  })
  .meta({ id: 'brand' })

const DeliveryTypeOfAccount = z.strictObject({
  enabled: z.boolean().default(true).describe('False: not offered for now.'),
  timing: Timing.describe('What availability promises.'),
})

const DangerousGoodsDefinition = z
  .strictObject({
    name: slug.describe('`dangerous_goods.definition` of a parcel.'),
    un_number: z
      .string()
      .regex(/^UN\d{4}$/, '"UN" and four digits, such as "UN3481"')
      .describe('UN number, as printed.'),
    technical_name: text().describe('Proper shipping name.'),
    class_division: z
      .string()
      .regex(/^[1-9](?:\.[1-6][A-S]?)?$/, 'a class or division as text, such as "3" or "1.4S"')
      .describe('In quotes, as printed.'),
    subsidiary_risk: text(20).optional().describe('Class or division, as printed.'),
    packing_group: z.enum(PACKING_GROUPS).optional().describe('Where the substance has one.'),
    transportable_by_air: z.boolean().default(false).describe('Whether it may fly.'),
    outer_packaging_type: text(60).default('carton').describe('Unless the parcel says it.'),
    net_weight_kg: measure.optional().describe('Of one parcel, unless the parcel says it.'),
    declaration: text(2000).optional().describe("Printed on the shipper's declaration."),
    limited_quantity: z.boolean().default(false).describe('Packed as a limited quantity, printed.'),
    flash_point_c: z
      .number()
      .min(-100)
      .max(500)
      .optional()
      .describe('Printed; carriers ask for it in class 3.'),
    marine_pollutant: z.boolean().default(false).describe('Printed.'),
    packing_instruction: text(60).optional().describe('Printed, such as "PI 966".'),
    emergency_phone: text(30).optional().describe('Printed: who answers day and night.'),
  })
  .meta({ id: 'dangerous_goods_definition' })

/** The whole description of one account, in the interface's words. */
export const AccountDocument = z
  .strictObject({
    $schema: z.string().optional().describe('For editors.'),
    shared: z.unknown().optional().describe('Not read: a place for YAML anchors that other parts use.'),
    tenant_id: slug.describe('The first segment of every path.'),
    name: text().describe('Of the merchant, for people.'),
    mode: z.enum(['sandbox', 'live']).describe('Only sandbox accounts may have a clock of their own.'),
    time_zone: text(60).describe('IANA zone for what belongs to no store, "Australia/Melbourne".'),
    currency: z.literal('AUD').default('AUD').describe('Of all amounts.'),
    own_carriers: z
      .boolean()
      .default(false)
      .describe("True: carriers are the merchant's own; quotes name them."),
    capabilities: z
      .strictObject({
        click_and_deliver: z.boolean().default(false).describe('Links for customers to book by.'),
      })
      .prefault({})
      .describe('What the account may use beside deliveries.'),
    modes: modes.default(['store_to_door']),
    limits: Limits.prefault({}).describe('How many requests are answered.'),
    booking: Booking.prefault({}).describe('When and how a carrier is found for a queued delivery.'),
    quotes: Quotes.prefault({}).describe('How carriers are asked for their own prices.'),
    own_network: OwnNetwork.prefault({}).describe("The store's own staff couriers."),
    people: People.prefault({}).describe('How the people of the account log in.'),
    sms: Sms.prefault({}).describe('Who gets SMS, and how many are sent.'),
    retention: Retention.prefault({}).describe('How long personal data is kept.'),
    pricing: Pricing.prefault({}).describe("What is asked on top of, or instead of, carriers' prices."),
    brands: z
      .array(Brand)
      .min(1)
      .max(1000)
      .describe('At least one; stores without a brand belong to the first.'),
    stores: z.array(StoreDocument).min(1).max(1_000_000).describe('Where deliveries are picked up.'),
    delivery_types: z
      .partialRecord(z.enum(DELIVERY_TYPES), DeliveryTypeOfAccount)
      .describe('The types that are offered, and what availability says of each.'),
    carriers: z
      .array(CarrierDocument)
      .max(200)
      .default([])
      .describe('Who carries, what and for how much; the own network needs no entry.'),
    dangerous_goods_definitions: z
      .array(DangerousGoodsDefinition)
      .max(10_000)
      .default([])
      .describe('What parcels may name instead of spelling it out.'),
  })
  .meta({ title: 'Drover account', description: 'One account: what `drover account apply` takes.' })

/** As written: defaults may be absent. This is the form that we store and return. */
export type AccountDocumentInput = z.input<typeof AccountDocument>
/** As parsed: defaults are filled in. */
export type AccountDocument = z.output<typeof AccountDocument>
