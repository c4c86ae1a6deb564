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
      .describe('Cents, GST included: one amount, or one by zone.'),
    distance: z
      .strictObject({
        included_km: z.number().min(0).max(10_000).default(0).describe('Kilometres that the base pays for.'),
        cents_per_km: centsRate.describe('For each kilometre beyond, pro rata.'),
      })
      .optional()
      .describe('Charged by the great-circle distance.'),
    weight: z
      .strictObject({
        included_kg: z.number().min(0).max(100_000).default(0).describe('Kilograms that the base pays for.'),
        cents_per_kg: z
          .union([centsRate, byRateZone(centsRate)])
          .describe('For each chargeable kilogram beyond, pro rata.'),
      })
      .optional()
      .describe('Charged by weight.'),
    cubic_kg_per_m3: measure
      .nullable()
      .default(250)
      .describe('A parcel is charged as heavy as its volume times this; null: by dead weight only.'),
    fuel_percent: z
      .number()
      .min(0)
      .max(1000)
      .default(0)
      .describe('Share of the base, distance and weight lines.'),
    residential_cents: cents.default(0).describe('Added when the address is not a business.'),
    dangerous_goods_cents: cents.default(0).describe('Added once to a consignment with dangerous goods.'),
  })
  .meta({ id: 'price' })

const productStates = z.union([z.literal('all'), z.array(state).min(1)])

const DangerousGoodsLimits = z.strictObject({
  classes: z
    .array(z.string().regex(/^[1-9](?:\.[1-6][A-S]?)?$/, 'a class or division as text, such as "3" or "2.1"'))
    .min(1)
    .describe('Classes and divisions it takes, in quotes.'),
  packing_groups: z.array(z.enum(PACKING_GROUPS)).min(1).optional().describe('All of them unless given.'),
  by_air: z.boolean().default(false).describe('True: flies, so takes only what is `transportable_by_air`.'),
})

/** An absent limit is no limit; dangerous goods and regulated products that are not named are rejected. */
export const LimitsDocument = z
  .strictObject({
    stores: z
      .array(reference)
      .min(1)
      .optional()
      .describe('Collects from these stores only, by reference: for contracts and credentials of a store.'),
    radius_km: measure.optional().describe('Farthest destination, from the store.'),
    states: z.array(state).min(1).optional().describe('States of the destination.'),
    max_parcel_kg: measure.optional().describe('Dead weight of one parcel.'),
    max_total_kg: measure.optional().describe('Dead weight of all parcels.'),
    max_side_cm: measure.optional().describe('Longest side of a parcel.'),
    max_parcel_m3: measure.optional().describe('Volume of one parcel.'),
    max_parcels: z.number().int().positive().max(100_000).optional().describe('Parcels in one consignment.'),
    parcel_types: z.array(z.enum(PARCEL_TYPES)).min(1).optional().describe('Takes only these.'),
    refused_parcel_types: z.array(z.enum(PARCEL_TYPES)).optional().describe('Takes all but these.'),
    modes: modes.optional().describe('Both unless given.'),
    address_kinds: z
      .array(z.enum(ADDRESS_KINDS))
      .min(1)
      .optional()
      .describe(
        'Kinds of address that it delivers to. Unless set: [street], or all kinds for Australia Post (adapter auspost).',
      ),
    business_only: z.boolean().optional().describe('True: business addresses only.'),
    product_types: z
      .union([z.array(z.enum(PRODUCT_TYPES)), z.partialRecord(z.enum(PRODUCT_TYPES), productStates)])
      .optional()
      .describe('Regulated or precious goods it takes: a list, or { alcohol: [VIC, NSW], high_value: all }.'),
    max_declared_cents: cents.optional().describe('Highest declared value.'),
    dangerous_goods: DangerousGoodsLimits.optional().describe('Not given: no dangerous goods.'),
  })
  .meta({ id: 'limits' })
export type LimitsDocument = z.output<typeof LimitsDocument>

export const ServiceDocument = z
  .strictObject({
    service: text(60).describe("The carrier's product, as quotes name it."),
    carrier_code: text(60).describe('What it is booked by at the carrier.'),
    delivery_type: z.enum(DELIVERY_TYPES).describe('Offered while this type is enabled.'),
    manifest_group: text(60)
      .optional()
      .describe('Deliveries of one group are manifested together; not given: no manifests.'),
    timing: Timing,
    price: Price.optional().describe(
      'What it costs. May be left out where the carrier has `live_prices`; given there, it is what holds while the carrier does not answer.',
    ),
    rate_card: RateCardDocument.optional().describe(
      "Instead of `price`: a courier's own list of zones, weights and surcharges.",
    ),
    limits: LimitsDocument.optional().describe(
      "What this service does not take; over the carrier's limits, field by field.",
    ),
  })
  .meta({ id: 'service' })
export type ServiceDocument = z.output<typeof ServiceDocument>

const SecretReference = z
  .strictObject({ secret: secretName.describe('As `drover secret set` stored it.') })
  .describe('Names a secret that `drover secret set` has stored. The secret itself never stands here.')
  .meta({ id: 'secret_reference' })

export const CarrierDocument = z
  .strictObject({
    provider: z
      .string()
      .max(60)
      .regex(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, 'small letters, digits and underscores, such as "big_haul"')
      .describe('The key that `provider_options` and quotes name the carrier by.'),
    adapter: slug
      .optional()
      .describe('The software that speaks to the carrier; as the provider unless given.'),
    name: text(60).describe('Shown to people.'),
    credentials: z.record(text(60), SecretReference).default({}).describe('What the adapter signs in with.'),
    settings: z.record(text(60), z.json()).default({}).describe("The adapter's own settings."),
    environment: z
      .enum(['sandbox', 'production'])
      .optional()
      .describe(
        "Which of the carrier's own systems: production on live accounts unless given, else its sandbox.",
      ),
    base_url: z
      .string()
      .max(200)
      .regex(
        /^(?:https:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?)$/,
        'https:// and a host, or http://127.0.0.1 and a port for a fake on this machine',
      )
      .optional()
      .describe("Instead of the carrier's own scheme, host and port: `drover fake`, or a gateway of yours."),
    live_prices: z
      .boolean()
      .default(false)
      .describe('True: the carrier itself is asked for the price of each job, where it can tell.'),
    dangerous_goods_manifested_apart: z
      .boolean()
      .default(false)
      .describe('True: the carrier wants dangerous goods on manifests of their own.'),
    limits: LimitsDocument.optional().describe('What none of its services takes.'),
    services: z
      .array(ServiceDocument)
      .min(1)
      .max(200)
      .describe('Its products; where all else is equal the first is tried first.'),
  })
  .meta({ id: 'carrier' })
export type CarrierDocument = z.output<typeof CarrierDocument>
