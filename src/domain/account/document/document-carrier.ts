import { z } from 'zod'
import { ADDRESS_KINDS } from '../../geo/address-kind.ts'
import { DELIVERY_TYPES, PACKING_GROUPS, PARCEL_TYPES, PRODUCT_TYPES } from '../../values.ts'
import { RateCardDocument } from './document-rate-card.ts'
import { modes } from './document-store.ts'
import { Timing } from './document-timing.ts'
import {
  byRateZone,
  cents,
  centsRate,
  measure,
  reference,
  secretName,
  slug,
  state,
  text,
} from './primitives.ts'

const Price = z
  .strictObject({
    base_cents: z
      .union([cents, byRateZone(cents)])
      .describe('The base price in cents, incl. GST: one amount, or an amount for each of the four zones.'),
    distance: z
      .strictObject({
        included_km: z
          .number()
          .min(0)
          .max(10_000)
          .default(0)
          .describe('Kilometres included in the base price.'),
        cents_per_km: centsRate.describe(
          'The price per extra kilometre, in cents. Part kilometres are charged pro rata.',
        ),
      })
      .optional()
      .describe('The charge for the straight-line distance between the store and the customer.'),
    weight: z
      .strictObject({
        included_kg: z
          .number()
          .min(0)
          .max(100_000)
          .default(0)
          .describe('Kilograms included in the base price.'),
        cents_per_kg: z
          .union([centsRate, byRateZone(centsRate)])
          .describe(
            'The price per extra chargeable kilogram, in cents. Part kilograms are charged pro rata.',
          ),
      })
      .optional()
      .describe(
        "The charge for the chargeable weight. A parcel's chargeable weight is its dead weight or its cubic weight, whichever is greater.",
      ),
    cubic_kg_per_m3: measure
      .nullable()
      .default(250)
      .describe(
        "Cubic factor in kilograms per cubic metre: a parcel's cubic weight is its volume times this factor. `null`: the carrier charges by dead weight only.",
      ),
    fuel_percent: z
      .number()
      .min(0)
      .max(1000)
      .default(0)
      .describe(
        'Fuel surcharge, as a percentage of the sum of the base price, the distance charge and the weight charge.',
      ),
    residential_cents: cents.default(0).describe('Surcharge for a residential address, in cents.'),
    dangerous_goods_cents: cents
      .default(0)
      .describe('Surcharge for a consignment with dangerous goods, in cents.'),
  })
  .meta({ id: 'price' })

const productStates = z.union([z.literal('all'), z.array(state).min(1)])

const DangerousGoodsLimits = z.strictObject({
  classes: z
    .array(z.string().regex(/^[1-9](?:\.[1-6][A-S]?)?$/, 'a class or division, such as "3" or "2.1"'))
    .min(1)
    .describe('Classes and divisions that the carrier accepts, as strings such as "3" or "1.4S".'),
  packing_groups: z
    .array(z.enum(PACKING_GROUPS))
    .min(1)
    .optional()
    .describe('Packing groups that the carrier accepts. Default: all.'),
  by_air: z
    .boolean()
    .default(false)
    .describe('`true`: the service uses aircraft and accepts only goods that are `transportable_by_air`.'),
})

/** An absent limit is no limit; dangerous goods and regulated products that are not named are rejected. */
export const LimitsDocument = z
  .strictObject({
    stores: z
      .array(reference)
      .min(1)
      .optional()
      .describe(
        "References of the stores that the carrier collects from, if the carrier's contract or credentials cover only some stores. Default: all stores.",
      ),
    radius_km: measure
      .optional()
      .describe('Maximum distance from the store to the destination, in kilometres.'),
    states: z.array(state).min(1).optional().describe('States that the carrier delivers to. Default: all.'),
    max_parcel_kg: measure.optional().describe('Maximum dead weight of one parcel, in kilograms.'),
    max_total_kg: measure.optional().describe('Maximum dead weight of one consignment, in kilograms.'),
    max_side_cm: measure.optional().describe("Maximum length of a parcel's longest side, in centimetres."),
    max_parcel_m3: measure.optional().describe('Maximum volume of one parcel, in cubic metres.'),
    max_parcels: z
      .number()
      .int()
      .positive()
      .max(100_000)
      .optional()
      .describe('Maximum number of parcels in one consignment.'),
    parcel_types: z
      .array(z.enum(PARCEL_TYPES))
      .min(1)
      .optional()
      .describe('Parcel types that the carrier accepts. Default: all.'),
    refused_parcel_types: z
      .array(z.enum(PARCEL_TYPES))
      .optional()
      .describe('Parcel types that the carrier refuses.'),
    modes: modes.optional().describe('Delivery modes that the carrier offers. Default: both.'),
    address_kinds: z
      .array(z.enum(ADDRESS_KINDS))
      .min(1)
      .optional()
      .describe(
        'Kinds of address that the carrier delivers to. Default: `[street]`, or all kinds for Australia Post (adapter `auspost`).',
      ),
    business_only: z
      .boolean()
      .optional()
      .describe('`true`: the carrier delivers to business addresses only.'),
    product_types: z
      .union([z.array(z.enum(PRODUCT_TYPES)), z.partialRecord(z.enum(PRODUCT_TYPES), productStates)])
      .optional()
      .describe(
        'Restricted goods that the carrier accepts: a list of kinds, or each kind with its destination states, such as { alcohol: [VIC, NSW], high_value: all }. Default: none.',
      ),
    max_declared_cents: cents
      .optional()
      .describe('Highest declared value that the carrier accepts, in cents.'),
    dangerous_goods: DangerousGoodsLimits.optional().describe(
      'Dangerous goods that the carrier accepts. Default: none.',
    ),
  })
  .meta({ id: 'limits' })
export type LimitsDocument = z.output<typeof LimitsDocument>

export const ServiceDocument = z
  .strictObject({
    service: text(60).describe('The name of the service, as shown in quotes.'),
    carrier_code: text(60).describe("The carrier's own code for this service."),
    delivery_type: z.enum(DELIVERY_TYPES).describe('The delivery type that this service belongs to.'),
    manifest_group: text(60)
      .optional()
      .describe(
        'Deliveries in the same group go on one manifest. Default: the service does not use manifests.',
      ),
    timing: Timing,
    price: Price.optional().describe(
      "The price of the service. Optional if the carrier's `live_prices` is `true`: Drover then uses `price` only when the carrier does not answer.",
    ),
    rate_card: RateCardDocument.optional().describe(
      "Instead of `price`: the carrier's surcharges and its rates by zone and weight.",
    ),
    limits: LimitsDocument.optional().describe(
      "Limits for this service. Each field overrides the same field in the carrier's `limits`.",
    ),
  })
  .meta({ id: 'service' })
export type ServiceDocument = z.output<typeof ServiceDocument>

export const SecretReference = z
  .strictObject({
    secret: secretName.describe('The name of a secret stored with `drover secret set`.'),
  })
  .describe(
    'A reference to a secret stored with `drover secret set`. The document never contains the secret itself.',
  )
  .meta({ id: 'secret_reference' })

export const CarrierDocument = z
  .strictObject({
    provider: z
      .string()
      .max(60)
      .regex(
        /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
        'lower-case letters, digits and single underscores, with a letter first, such as "big_haul"',
      )
      .describe("The carrier's key in `provider_options` and quotes."),
    adapter: slug
      .optional()
      .describe(
        "The adapter that calls the carrier's API. Default: the adapter with the same name as `provider`.",
      ),
    name: text(60).describe("The carrier's display name."),
    credentials: z
      .record(text(60), SecretReference)
      .default({})
      .describe("The credentials that the adapter uses to log in to the carrier's API."),
    settings: z
      .record(text(60), z.json())
      .default({})
      .describe("The adapter's settings. Each adapter has its own fields."),
    environment: z
      .enum(['sandbox', 'production'])
      .optional()
      .describe(
        "Which of the carrier's environments Drover calls. Default: `production` for live accounts, `sandbox` for sandbox accounts.",
      ),
    base_url: z
      .string()
      .max(200)
      .regex(
        /^(?:https:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?)$/,
        'an address without a path, such as "https://api.example.com", or, for a simulated carrier on the machine that runs Drover, "http://127.0.0.1:4010"',
      )
      .optional()
      .describe(
        "Replaces the scheme, host and port of the carrier's API URL, for example to call `drover fake` or your own gateway.",
      ),
    live_prices: z
      .boolean()
      .default(false)
      .describe(
        "`true`: Drover asks the carrier's API for the price of each delivery, if the API can quote prices.",
      ),
    dangerous_goods_manifested_apart: z
      .boolean()
      .default(false)
      .describe('`true`: deliveries with dangerous goods go on separate manifests.'),
    limits: LimitsDocument.optional().describe("Limits for all of the carrier's services."),
    services: z
      .array(ServiceDocument)
      .min(1)
      .max(200)
      .describe("The carrier's services. If services rank equally, Drover tries them in this order."),
  })
  .meta({ id: 'carrier' })
export type CarrierDocument = z.output<typeof CarrierDocument>
