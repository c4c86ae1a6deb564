import { z } from 'zod'
import {
  DELIVERY_TYPES,
  MESSAGE_TEXTS,
  OWNER_GRANTS,
  PACKING_GROUPS,
  PARCEL_TYPES,
  TRACKING_TEXTS,
} from '../../values.ts'
import { CarrierDocument, SecretReference } from './document-carrier.ts'
import { modes, StoreDocument } from './document-store.ts'
import { Timing } from './document-timing.ts'
import { cents, ISSUER, measure, minutes, paragraphs, slug, text } from './primitives.ts'

const Limits = z.strictObject({
  requests_per_second: z
    .number()
    .int()
    .positive()
    .max(1_000_000)
    .default(50)
    .describe('For each API client, in each `api` process.'),
  burst: z.number().int().positive().max(1_000_000).default(200).describe('The most requests in one burst.'),
})

const Booking = z.strictObject({
  lead_minutes: minutes
    .default(60)
    .describe('Drover books a queued delivery this long before it is ready for pickup.'),
  give_up_minutes: minutes
    .default(240)
    .describe(
      'If no carrier has accepted a delivery this long after that time, or after its creation if later, it goes `on_hold` until a person decides.',
    ),
  replan_when_off: z
    .boolean()
    .default(false)
    .describe(
      '`true`: when a carrier is switched off, Drover cancels its uncollected deliveries and plans them again.',
    ),
  replan_when_dark_minutes: z
    .number()
    .int()
    .min(0)
    .max(1_440)
    .nullable()
    .default(null)
    .describe(
      "After an outage of this length, Drover cancels the carrier's deliveries that are not collected and on no manifest, as soon as it can, and plans each again once the carrier confirms. `null`: never.",
    ),
  order: z
    .union([
      z.enum(['cheapest', 'fastest']),
      z.strictObject({
        preferred: z.array(z.string()).min(1).describe('`provider` keys of carriers, best first.'),
      }),
    ])
    .default('cheapest')
    .describe(
      'The option that Drover tries first: `cheapest`, `fastest`, or { preferred: [swiftly, big_haul] }.',
    ),
})

const OwnNetwork = z.strictObject({
  offer_minutes: minutes
    .default(15)
    .describe('How long a staff courier has to accept an offer before it returns to the store.'),
})

const People = z.strictObject({
  second_factor: z
    .enum(['optional', 'admins', 'everybody'])
    .default('optional')
    .describe('Who must log in with an authenticator app. Anyone may use one.'),
})

const OpenIdConnect = z.strictObject({
  name: text(60).describe('The name on the button: "Log in with Acme".'),
  issuer: z
    .string()
    .max(200)
    .regex(
      ISSUER,
      'https:// and a host, and a path if the provider has one; or http://127.0.0.1 and a port for a test',
    )
    .describe('The issuer exactly as the provider writes it in its discovery document and its ID tokens.'),
  client_id: text(200).describe('The client ID that the provider gave Drover.'),
  client_secret: SecretReference.optional().describe(
    'A reference to the client secret. Leave it out for a public client. Drover always uses PKCE.',
  ),
})

const SignIn = z.strictObject({
  openid_connect: OpenIdConnect.optional().describe(
    'The OpenID Connect provider with which users may log in, once they have linked it. Their passwords still work.',
  ),
})

const Sms = z.strictObject({
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .max(50)
    .default(['AU'])
    .describe('Countries whose mobile numbers may get SMS (ISO 3166-1 alpha-2). Other numbers are refused.'),
  per_day: z
    .number()
    .int()
    .positive()
    .max(10_000_000)
    .default(5_000)
    .describe(
      "The account's daily SMS limit, in its time zone. Later SMS wait. Job offers have twice the limit.",
    ),
})

const Retention = z.strictObject({
  delivery_days: z
    .number()
    .int()
    .min(30)
    .max(3_650)
    .default(400)
    .describe(
      "Days after its creation when a delivery's personal data is erased. The data for reports and invoices remains.",
    ),
  audit_days: z
    .number()
    .int()
    .min(400)
    .max(3_650)
    .default(2_557)
    .describe('How long the audit log is kept. Default: seven years.'),
})

const Quotes = z.strictObject({
  carrier_deadline_ms: z
    .number()
    .int()
    .min(100)
    .max(10_000)
    .default(1_500)
    .describe("How long a quote waits for carriers' live prices. Later prices are left out."),
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
    .describe('Percentage added to every price. A negative percentage is a discount.'),
  fixed_cents: z
    .partialRecord(z.enum(DELIVERY_TYPES), cents)
    .default({})
    .describe('One price in cents for all options of a delivery type, such as { express: 1500 }.'),
})

const language = z.string().regex(/^[a-z]{2,3}$/, 'a language code such as "en" or "vi"')

const MessageTexts = z
  .strictObject({
    sms: z
      .partialRecord(z.enum(MESSAGE_TEXTS), text(480))
      .default({})
      .describe('Instead of our SMS, such as { delivered: "{{brand}}: {{order}} has arrived. {{link}}" }.'),
    email: z
      .partialRecord(
        z.enum(MESSAGE_TEXTS),
        z.strictObject({
          subject: text(200).optional().describe('Instead of our subject.'),
          body: paragraphs(4_000).optional().describe('Instead of our text. May have several lines.'),
        }),
      )
      .default({})
      .describe('Instead of our e-mails.'),
    tracking_page: z
      .partialRecord(z.enum(TRACKING_TEXTS), text(200))
      .default({})
      .describe('Instead of our sentences on the tracking page.'),
  })
  .meta({ id: 'message_texts' })

const Brand = z
  .strictObject({
    reference: slug.describe("The brand's reference, used by stores."),
    name: text().describe('The name that customers see.'),
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'a colour as "#" and six hexadecimal digits, such as "#17513f"')
      .optional()
      .describe('Header colour of customer pages. Darkened if text on it would be illegible.'),
    logo: z
      .string()
      .max(65_600)
      .regex(
        /^data:image\/(?:png|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/,
        'a PNG or SVG as a data: URL, as Settings or `POST /admin/accounts/{tenant_id}/logo` makes it',
      )
      .optional()
      .describe(
        'Shown in the header of customer pages in place of the name, as a data: URL of at most 48 KiB.',
      ),
    language: language
      .default('en')
      .describe(
        'The language of its messages. A language other than "en" needs every text in `message_texts`.',
      ),
    allocation_strategy: z
      .enum(['distance_only', 'time_and_distance', 'timeline_over_distance'])
      .default('distance_only')
      .describe('How Drover ranks stores for a destination.'),
    buffer_minutes: minutes.default(0).describe('Added to the earliest pickup time of its stores.'),
    processing_minutes: minutes.default(0).describe('How long its stores take to pick and pack an order.'),
  })
  .meta({ id: 'brand' })

const DeliveryTypeOfAccount = z.strictObject({
  enabled: z.boolean().default(true).describe('`false`: not offered.'),
  timing: Timing.describe('The windows that availability offers.'),
})

const DangerousGoodsDefinition = z
  .strictObject({
    name: slug.describe('The name that a parcel gives as `dangerous_goods.definition`.'),
    un_number: z
      .string()
      .regex(/^UN\d{4}$/, '"UN" and four digits, such as "UN3481"')
      .describe('UN number, as printed.'),
    technical_name: text().describe('Proper shipping name.'),
    class_division: z
      .string()
      .regex(/^[1-9](?:\.[1-6][A-S]?)?$/, 'a class or division as text, such as "3" or "1.4S"')
      .describe('Class or division as printed, as a string such as "3".'),
    subsidiary_risk: text(20).optional().describe('Class or division, as printed.'),
    packing_group: z.enum(PACKING_GROUPS).optional().describe('Packing group, if the substance has one.'),
    transportable_by_air: z.boolean().default(false).describe('Whether the goods may travel by air.'),
    outer_packaging_type: text(60).default('carton').describe('Default for parcels that do not state it.'),
    net_weight_kg: measure.optional().describe('Of one parcel. Default for parcels that do not state it.'),
    declaration: text(2000).optional().describe("Printed on the shipper's declaration."),
    limited_quantity: z.boolean().default(false).describe('`true`: packed as a limited quantity. Printed.'),
    flash_point_c: z
      .number()
      .min(-100)
      .max(500)
      .optional()
      .describe('Flash point. Printed; carriers require it for class 3.'),
    marine_pollutant: z.boolean().default(false).describe('Printed.'),
    packing_instruction: text(60).optional().describe('Packing instruction, such as "PI 966". Printed.'),
    emergency_phone: text(30).optional().describe('Emergency phone, answered 24 hours a day. Printed.'),
  })
  .meta({ id: 'dangerous_goods_definition' })

const UsualBox = z
  .strictObject({
    name: text(60).describe('The name by which people choose it.'),
    type: z.enum(PARCEL_TYPES).default('carton').describe('Parcel type.'),
    length_cm: measure.describe('Outside length.'),
    width_cm: measure.describe('Outside width.'),
    height_cm: measure.describe('Outside height.'),
    weight_kg: measure.optional().describe('Usual weight when packed.'),
  })
  .meta({ id: 'usual_box' })

/** The whole description of one account, in the interface's words. */
export const AccountDocument = z
  .strictObject({
    $schema: z.string().optional().describe('For editors.'),
    shared: z.unknown().optional().describe('Not read. For YAML anchors that other parts use.'),
    tenant_id: slug.describe("The first segment of the account's paths."),
    name: text().describe("The merchant's name."),
    mode: z
      .enum(['sandbox', 'live'])
      .describe('`sandbox` or `live`. Only sandbox accounts have a clock that can be set.'),
    time_zone: text(60).describe(
      'IANA time zone of everything that does not belong to a store, such as "Australia/Melbourne".',
    ),
    currency: z.literal('AUD').default('AUD').describe('Currency of all amounts.'),
    own_carriers: z
      .boolean()
      .default(false)
      .describe("`true`: the carriers are the merchant's own, and quotes name them."),
    capabilities: z
      .strictObject({
        click_and_deliver: z.boolean().default(false).describe('Booking links for customers.'),
      })
      .prefault({})
      .describe('Optional features of the account.'),
    modes: modes.default(['store_to_door']),
    owner_grants: z
      .array(z.enum(OWNER_GRANTS))
      .max(OWNER_GRANTS.length)
      .default([])
      .describe(
        "What the merchant's own admins may change in addition to their stores, brands, prices and dangerous goods. Only operators change this list.",
      ),
    limits: Limits.prefault({}).describe('Rate limits.'),
    booking: Booking.prefault({}).describe('When and how Drover books queued deliveries.'),
    quotes: Quotes.prefault({}).describe('Quotes and live prices of carriers.'),
    own_network: OwnNetwork.prefault({}).describe("The stores' own staff couriers."),
    people: People.prefault({}).describe('How users of the account log in.'),
    sign_in: SignIn.prefault({}).describe('Other ways for users to log in.'),
    sms: Sms.prefault({}).describe('Limits on SMS.'),
    retention: Retention.prefault({}).describe('How long data is kept.'),
    pricing: Pricing.prefault({}).describe("Mark-ups on carriers' prices, or fixed prices instead of them."),
    message_texts: z
      .record(language, MessageTexts)
      .default({})
      .describe(
        'The merchant’s own texts for messages to customers, by language. Placeholders such as {{order}} stand for values.',
      ),
    brands: z
      .array(Brand)
      .max(1000)
      .describe(
        'A store that names no brand uses the first brand. An account with stores needs at least one brand.',
      ),
    stores: z
      .array(StoreDocument)
      .max(1_000_000)
      .describe('Stores, where carriers collect deliveries. A new account may have none yet.'),
    delivery_types: z
      .partialRecord(z.enum(DELIVERY_TYPES), DeliveryTypeOfAccount)
      .describe('The delivery types that the account offers, with their windows.'),
    carriers: z
      .array(CarrierDocument)
      .max(200)
      .default([])
      .describe("Carriers with their services, limits and prices. The stores' own couriers need no entry."),
    dangerous_goods_definitions: z
      .array(DangerousGoodsDefinition)
      .max(10_000)
      .default([])
      .describe('Dangerous goods definitions that parcels refer to by name.'),
    usual_boxes: z
      .array(UsualBox)
      .max(100)
      .default([])
      .describe('Boxes that the portal offers when a person enters a delivery.'),
  })
  .meta({ title: 'Drover account', description: 'One account, as `drover account apply` reads it.' })

/** As written: defaults may be absent. This is the form that we store and return. */
export type AccountDocumentInput = z.input<typeof AccountDocument>
/** As parsed: defaults are filled in. */
export type AccountDocument = z.output<typeof AccountDocument>
