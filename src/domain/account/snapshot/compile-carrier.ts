import type { Timing } from '../../calendar/windows.ts'
import { ADDRESS_KINDS, type AddressKind } from '../../geo/address-kind.ts'
import { DELIVERY_MODES, type ProductType, type State } from '../../values.ts'
import type { Account, CarrierAccount, Limits, PriceRules, Service } from '../account.ts'
import type { CarrierDocument, LimitsDocument, ServiceDocument } from '../document/document-carrier.ts'
import type { RateCardDocument } from '../document/document-rate-card.ts'
import type { TimingDocument } from '../document/document-timing.ts'
import type { Steps } from '../document/parse-in-steps.ts'
import { rangeMinutes, toMinutes } from '../document/primitives.ts'
import type { RateCard, SurchargeWhen } from '../rate-card.ts'
import { toRange } from '../validation/rate-card-mistakes.ts'

/** A step for each service: a rate card of 20,000 rates takes 1 to 4 ms. */
export function* compileCarrierInSteps(
  carrier: CarrierDocument,
  mode: Account['mode'],
): Steps<CarrierAccount> {
  const services: Service[] = []
  for (const service of carrier.services) {
    services.push(compileService(carrier, service))
    yield
  }
  return {
    provider: carrier.provider,
    adapter: carrier.adapter ?? carrier.provider,
    name: carrier.name,
    credentials: Object.fromEntries(
      Object.entries(carrier.credentials).map(([name, credential]) => [name, credential.secret]),
    ),
    settings: carrier.settings,
    environment: carrier.environment ?? (mode === 'live' ? 'production' : 'sandbox'),
    baseUrl: carrier.base_url ?? null,
    services,
  }
}

function compileService(carrier: CarrierDocument, service: ServiceDocument): Service {
  return {
    provider: carrier.provider,
    carrierName: carrier.name,
    service: service.service,
    carrierCode: service.carrier_code,
    type: service.delivery_type,
    manifestGroup: service.manifest_group ?? null,
    dangerousGoodsManifestedApart: carrier.dangerous_goods_manifested_apart,
    timing: compileTiming(service.timing),
    livePrice: carrier.live_prices,
    price: service.price ? compilePrice(service.price) : null,
    rateCard: service.rate_card ? compileRateCard(service.rate_card) : null,
    limits: compileLimits({
      address_kinds: usualAddressKinds(carrier),
      ...carrier.limits,
      ...service.limits,
    }),
  }
}

function compilePrice(price: NonNullable<ServiceDocument['price']>): PriceRules {
  const { base_cents: base, distance, weight } = price
  return {
    base: typeof base === 'number' ? { cents: base } : { byZone: base },
    distance: distance ? { includedKm: distance.included_km, centsPerKm: distance.cents_per_km } : null,
    weight: weight ? { includedKg: weight.included_kg, centsPerKg: weight.cents_per_kg } : null,
    cubicKgPerM3: price.cubic_kg_per_m3,
    fuelPercent: price.fuel_percent,
    residentialCents: price.residential_cents,
    dangerousGoodsCents: price.dangerous_goods_cents,
  }
}

/** Only Australia Post delivers to boxes and lockers. */
function usualAddressKinds({ provider, adapter = provider }: CarrierDocument): AddressKind[] {
  return adapter === 'auspost' ? [...ADDRESS_KINDS] : ['street']
}

function compileLimits(limits: LimitsDocument): Limits {
  const { dangerous_goods: goods } = limits
  return {
    stores: toSet(limits.stores),
    radiusKm: limits.radius_km ?? null,
    states: toSet(limits.states),
    maxParcelKg: limits.max_parcel_kg ?? null,
    maxTotalKg: limits.max_total_kg ?? null,
    maxSideCm: limits.max_side_cm ?? null,
    maxParcelM3: limits.max_parcel_m3 ?? null,
    maxParcels: limits.max_parcels ?? null,
    parcelTypes: toSet(limits.parcel_types),
    refusedParcelTypes: new Set(limits.refused_parcel_types),
    modes: new Set(limits.modes ?? DELIVERY_MODES),
    businessOnly: limits.business_only ?? false,
    addressKinds: new Set(limits.address_kinds),
    productTypes: productStates(limits.product_types ?? []),
    maxDeclaredCents: limits.max_declared_cents ?? null,
    dangerousGoods: goods
      ? { classes: new Set(goods.classes), packingGroups: toSet(goods.packing_groups), byAir: goods.by_air }
      : null,
  }
}

/** Null states: all states. */
function productStates(types: NonNullable<LimitsDocument['product_types']>): Limits['productTypes'] {
  if (Array.isArray(types)) return new Map(types.map((type) => [type, null]))
  return new Map(
    Object.entries(types).map(([type, states]): [ProductType, ReadonlySet<State> | null] => [
      type as ProductType,
      states === 'all' ? null : new Set(states),
    ]),
  )
}

function toSet<T>(values: readonly T[] | undefined): ReadonlySet<T> | null {
  return values ? new Set(values) : null
}

export function compileRateCard(card: RateCardDocument): RateCard {
  const zones = Object.entries(card.zones)
    .flatMap(([zone, codes]) => codes.map((code) => ({ ...toRange(code), zone })))
    .sort((one, other) => one.from - other.from)
  const byZone = Map.groupBy(card.rates, ({ zone }) => zone)
  const steps = [...byZone].map(
    ([zone, rates]) =>
      [
        zone,
        rates
          .map(({ up_to_kg, cents, cents_per_extra_kg }) => ({
            upToKg: up_to_kg,
            cents,
            centsPerExtraKg: cents_per_extra_kg ?? null,
          }))
          .sort((one, other) => one.upToKg - other.upToKg),
      ] as const,
  )
  return {
    zones,
    steps: new Map(steps),
    surcharges: card.surcharges.map(({ name, cents, percent, ...given }) => ({
      ...{ name, cents, percent },
      when: compileCondition(given),
    })),
    cubicKgPerM3: card.cubic_kg_per_m3,
  }
}

function compileCondition({
  when,
  over_kg,
  over_cm,
}: Pick<RateCardDocument['surcharges'][number], 'when' | 'over_kg' | 'over_cm'>): SurchargeWhen {
  if (over_kg !== undefined) return { kind: 'over_kg', limit: over_kg }
  if (over_cm !== undefined) return { kind: 'over_cm', limit: over_cm }
  return { kind: when }
}

export function compileTiming({ after_pickup, on_day }: TimingDocument): Timing {
  if (after_pickup) {
    return {
      kind: 'after_pickup',
      leadMinutes: after_pickup.lead_minutes,
      minutesPerKm: after_pickup.minutes_per_km,
      windowMinutes: after_pickup.window_minutes,
      lastPickup: after_pickup.last_pickup === undefined ? null : toMinutes(after_pickup.last_pickup),
      hours: after_pickup.hours === undefined ? null : rangeMinutes(after_pickup.hours),
    }
  }
  if (!on_day) throw new Error('The timing must have after_pickup or on_day.')
  return {
    kind: 'on_day',
    cutOff: toMinutes(on_day.cut_off),
    days: on_day.days,
    from: toMinutes(on_day.from),
    to: toMinutes(on_day.to),
  }
}
