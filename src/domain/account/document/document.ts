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
    .describe('Requests per second that Drover accepts from one API client.'),
  burst: z
    .number()
    .int()
    .positive()
    .max(1_000_000)
    .default(200)
    .describe('Maximum number of requests in one burst.'),
})

const Booking = z.strictObject({
  lead_minutes: minutes
    .default(60)
    .describe('Drover books a queued delivery this many minutes before its parcels are ready for pickup.'),
  give_up_minutes: minutes
    .default(240)
    .describe(
      'If no carrier has accepted a delivery this many minutes after it was created or its parcels were ready, whichever is later, Drover puts it `on_hold` until someone decides what to do with it.',
    ),
  replan_when_off: z
    .boolean()
    .default(false)
    .describe(
      "`true`: when a carrier is switched off, Drover cancels the carrier's uncollected deliveries and plans them again.",
    ),
  replan_when_dark_minutes: z
    .number()
    .int()
    .min(0)
    .max(1_440)
    .nullable()
    .default(null)
    .describe(
      'Once a carrier has not answered for this many minutes, Drover asks it to cancel the deliveries that are neither collected nor on a manifest. Drover plans each delivery again once the carrier has confirmed the cancellation. `null`: never.',
    ),
  order: z
    .union([
      z.enum(['cheapest', 'fastest']),
      z.strictObject({
        preferred: z
          .array(z.string())
          .min(1)
          .describe('The `provider` keys of the carriers that Drover tries first, in order of preference.'),
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
    .describe(
      'How many minutes a staff courier has to accept a job. After that, the job returns to the store.',
    ),
})

const Assistants = z.strictObject({
  spending_limit_cents_per_day: cents
    .nullable()
    .default(null)
    .describe(
      "The most that each API client and each assistant may spend per day through MCP, in cents, incl. GST. Days follow the account's time zone. `null`: no limit.",
    ),
})

const People = z.strictObject({
  second_factor: z
    .enum(['optional', 'admins', 'everybody'])
    .default('optional')
    .describe(
      'Who must log in with a second factor (an authenticator app or a passkey). Anyone may use one.',
    ),
})

const OpenIdConnect = z.strictObject({
  name: text(60).describe(
    'The name of the provider on the login button, such as "Acme" for "Log in with Acme".',
  ),
  issuer: z
    .string()
    .max(200)
    .regex(
      ISSUER,
      'the issuer\'s https:// address, such as "https://id.acme.example", or, for testing, an address on the machine that runs Drover, such as "http://127.0.0.1:4010"',
    )
    .describe("The issuer, exactly as it appears in the provider's discovery document and ID tokens."),
  client_id: text(200).describe('The client ID that the provider issued to Drover.'),
  client_secret: SecretReference.optional().describe(
    'A reference to the client secret. Leave it out for a public client. Drover always uses PKCE.',
  ),
})

const SignIn = z.strictObject({
  openid_connect: OpenIdConnect.optional().describe(
    'The OpenID Connect provider that users can log in with, once they have linked it to their Drover login. Their passwords still work.',
  ),
})

const Sms = z.strictObject({
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .max(50)
    .default(['AU'])
    .describe(
      'Countries (ISO 3166-1 alpha-2) whose mobile numbers Drover sends SMS messages to. Drover refuses other numbers.',
    ),
  per_day: z
    .number()
    .int()
    .positive()
    .max(10_000_000)
    .default(5_000)
    .describe(
      "Maximum number of SMS messages a day, in the account's time zone. Further messages wait until the next day. For job offers, the limit is twice as high.",
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
      "Drover erases a delivery's personal data this many days after the delivery is created. It keeps the data needed for reports and invoices.",
    ),
  audit_days: z
    .number()
    .int()
    .min(400)
    .max(3_650)
    .default(2_557)
    .describe('How many days Drover keeps each audit log entry. Default: 2557 (seven years).'),
})

const Quotes = z.strictObject({
  carrier_deadline_ms: z
    .number()
    .int()
    .min(100)
    .max(10_000)
    .default(1_500)
    .describe(
      "How many milliseconds Drover waits for carriers' live prices. Drover leaves out prices that arrive later.",
    ),
  hold_minutes: z
    .number()
    .int()
    .min(5)
    .max(240)
    .default(30)
    .describe(
      'How many minutes a `quote_id` holds the quoted price and delivery window. It never holds them past the cut-off.',
    ),
})

const Pricing = z.strictObject({
  markup_percent: z
    .number()
    .min(-100)
    .max(1000)
    .default(0)
    .describe('Percentage that Drover adds to every price. A negative percentage is a discount.'),
  fixed_cents: z
    .partialRecord(z.enum(DELIVERY_TYPES), cents)
    .default({})
    .describe('Fixed prices by delivery type, in cents, such as { express: 1500 }.'),
})

const language = z.string().regex(/^[a-z]{2,3}$/, 'a language code such as "en" or "vi"')

const MessageTexts = z
  .strictObject({
    sms: z
      .partialRecord(z.enum(MESSAGE_TEXTS), text(480))
      .default({})
      .describe(
        'SMS messages that Drover sends instead of its standard ones, such as { delivered: "{{brand}}: {{order}} has arrived. {{link}}" }.',
      ),
    email: z
      .partialRecord(
        z.enum(MESSAGE_TEXTS),
        z.strictObject({
          subject: text(200).optional().describe('Replaces the standard subject.'),
          body: paragraphs(4_000)
            .optional()
            .describe('Replaces the standard body. It may have several lines.'),
        }),
      )
      .default({})
      .describe('Emails that Drover sends instead of its standard ones.'),
    tracking_page: z
      .partialRecord(z.enum(TRACKING_TEXTS), text(200))
      .default({})
      .describe('Sentences that replace the standard ones on the tracking page.'),
  })
  .meta({ id: 'message_texts' })

const Brand = z
  .strictObject({
    reference: slug.describe("The brand's reference, which stores use in `brand`."),
    name: text().describe("The brand's name, as customers see it."),
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'a colour as "#" and six hexadecimal digits, such as "#17513f"')
      .optional()
      .describe(
        'Header colour of customer pages. If text would be hard to read on this colour, Drover uses a darker one.',
      ),
    logo: z
      .string()
      .max(65_600)
      .regex(
        /^data:image\/(?:png|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/,
        'a PNG or SVG as a data: URL; to make one from a file, upload the file in Settings or with `POST /admin/accounts/{tenant_id}/logo`',
      )
      .optional()
      .describe(
        "The logo that customer pages show in their header instead of the brand's name: a PNG or SVG of at most 48 KiB, as a data: URL.",
      ),
    language: language
      .default('en')
      .describe(
        "The language of messages to the brand's customers. For a language other than `en`, `message_texts` must have the wording of every message.",
      ),
    allocation_strategy: z
      .enum(['distance_only', 'time_and_distance', 'timeline_over_distance'])
      .default('distance_only')
      .describe('How Drover ranks stores for a destination.'),
    buffer_minutes: minutes
      .default(0)
      .describe("Minutes that Drover adds to the earliest pickup time at the brand's stores."),
    processing_minutes: minutes
      .default(0)
      .describe("How many minutes the brand's stores take to pick and pack an order."),
  })
  .meta({ id: 'brand' })

const DeliveryTypeOfAccount = z.strictObject({
  enabled: z.boolean().default(true).describe('`false`: the account does not offer this delivery type.'),
  timing: Timing.describe('The delivery windows offered to customers.'),
})

const DangerousGoodsDefinition = z
  .strictObject({
    name: slug.describe(
      "The definition's name, which parcels use in `dangerous_goods.dangerous_goods_definition`.",
    ),
    un_number: z
      .string()
      .regex(/^UN\d{4}$/, '"UN" and four digits, such as "UN3481"')
      .describe('UN number, such as "UN3481".'),
    technical_name: text().describe('Proper shipping name.'),
    class_division: z
      .string()
      .regex(/^[1-9](?:\.[1-6][A-S]?)?$/, 'a class or division, such as "3" or "1.4S"')
      .describe('Class or division, as a string such as "3".'),
    subsidiary_risk: text(20).optional().describe('Class or division of the subsidiary risk.'),
    packing_group: z.enum(PACKING_GROUPS).optional().describe('Packing group, if the substance has one.'),
    transportable_by_air: z.boolean().default(false).describe('Whether the goods may travel by air.'),
    outer_packaging_type: text(60)
      .default('carton')
      .describe('Type of outer packaging, unless the parcel states another type.'),
    net_weight_kg: measure
      .optional()
      .describe(
        'Net weight of the goods in one parcel, in kilograms, unless the parcel states another weight.',
      ),
    declaration: text(2000).optional().describe("Text that Drover prints on the shipper's declaration."),
    limited_quantity: z
      .boolean()
      .default(false)
      .describe('`true`: the goods are packed as a limited quantity.'),
    flash_point_c: z
      .number()
      .min(-100)
      .max(500)
      .optional()
      .describe('Flash point in °C. Carriers require a flash point for class 3.'),
    marine_pollutant: z.boolean().default(false).describe('`true`: the goods are a marine pollutant.'),
    packing_instruction: text(60).optional().describe('Packing instruction, such as "PI 966".'),
    emergency_phone: text(30).optional().describe('Emergency phone number, answered 24 hours a day.'),
  })
  .meta({ id: 'dangerous_goods_definition' })

const UsualBox = z
  .strictObject({
    name: text(60).describe('The name that staff see when they choose a box.'),
    type: z.enum(PARCEL_TYPES).default('carton').describe('The parcel type of the box.'),
    length_cm: measure.describe('Outside length, in centimetres.'),
    width_cm: measure.describe('Outside width, in centimetres.'),
    height_cm: measure.describe('Outside height, in centimetres.'),
    weight_kg: measure.optional().describe('Usual weight of the packed box, in kilograms.'),
  })
  .meta({ id: 'usual_box' })

/** The whole description of one account, in the interface's words. */
export const AccountDocument = z
  .strictObject({
    $schema: z.string().optional().describe('The address of this schema, for editors that check the file.'),
    shared: z
      .unknown()
      .optional()
      .describe('Drover ignores this field. It is for YAML anchors that other parts of the file refer to.'),
    tenant_id: slug.describe("The account's ID, which is the first segment of the account's URL paths."),
    name: text().describe("The merchant's name."),
    mode: z
      .enum(['sandbox', 'live'])
      .describe('`sandbox` or `live`. Only a sandbox account can have a test clock.'),
    time_zone: text(60).describe(
      'The account\'s IANA time zone, such as "Australia/Melbourne". It applies to everything that does not belong to a store.',
    ),
    currency: z.literal('AUD').default('AUD').describe('Currency of all amounts.'),
    own_carriers: z
      .boolean()
      .default(false)
      .describe("`true`: the carriers are the merchant's own, and quotes name the carriers."),
    capabilities: z
      .strictObject({
        click_and_deliver: z
          .boolean()
          .default(false)
          .describe('`true`: the account can create booking links for customers.'),
      })
      .prefault({})
      .describe('Optional features of the account.'),
    modes: modes.default(['store_to_door']),
    owner_grants: z
      .array(z.enum(OWNER_GRANTS))
      .max(OWNER_GRANTS.length)
      .default([])
      .describe(
        "Settings that the merchant's own admins may change, in addition to stores, brands, prices and dangerous goods. Only operators can change this list.",
      ),
    limits: Limits.prefault({}).describe('Rate limits.'),
    booking: Booking.prefault({}).describe('When and how Drover books queued deliveries.'),
    quotes: Quotes.prefault({}).describe(
      'How long Drover waits for live prices, and how long a quote holds its price.',
    ),
    own_network: OwnNetwork.prefault({}).describe("Settings for the stores' staff couriers."),
    assistants: Assistants.prefault({}).describe('What API clients and assistants may spend through MCP.'),
    people: People.prefault({}).describe('Which users must log in with a second factor.'),
    sign_in: SignIn.prefault({}).describe('Ways for users to log in without a password.'),
    sms: Sms.prefault({}).describe(
      'The countries that Drover sends SMS messages to, and the maximum number of messages a day.',
    ),
    retention: Retention.prefault({}).describe('How long Drover keeps personal data and the audit log.'),
    pricing: Pricing.prefault({}).describe("A markup on carriers' prices, or fixed prices instead."),
    message_texts: z
      .record(language, MessageTexts)
      .default({})
      .describe(
        "The merchant's own wording of messages to customers, by language. Drover replaces placeholders such as {{order}} with their values.",
      ),
    brands: z
      .array(Brand)
      .max(1000)
      .describe(
        "The merchant's brands. A store without a `brand` uses the first one. An account with stores needs at least one brand.",
      ),
    stores: z
      .array(StoreDocument)
      .max(1_000_000)
      .describe('The stores that carriers collect from. A new account may have no stores yet.'),
    delivery_types: z
      .partialRecord(z.enum(DELIVERY_TYPES), DeliveryTypeOfAccount)
      .describe('The delivery types that the account offers, with their delivery windows.'),
    carriers: z
      .array(CarrierDocument)
      .max(200)
      .default([])
      .describe(
        "Carriers, with their services, limits and prices. The stores' own couriers do not need to be listed.",
      ),
    dangerous_goods_definitions: z
      .array(DangerousGoodsDefinition)
      .max(10_000)
      .default([])
      .describe('Dangerous goods definitions that parcels refer to by name.'),
    usual_boxes: z
      .array(UsualBox)
      .max(100)
      .default([])
      .describe('Boxes that staff can choose when they enter a delivery in the portal.'),
  })
  .meta({
    title: 'Drover account',
    description: 'One account, in the form that `drover account apply` reads.',
  })

/** As written: defaults may be absent. This is the form that we store and return. */
export type AccountDocumentInput = z.input<typeof AccountDocument>
/** As parsed: defaults are filled in. */
export type AccountDocument = z.output<typeof AccountDocument>
