import type { ExclusionRule } from '../../../src/domain/quoting/decision.ts'
import type { DecisionAnswer, Delivery } from '../../shared/api.generated.ts'
import { formatKm } from '../../shared/format-km.ts'
import { dollars } from '../../shared/money.ts'

type Decision = DecisionAnswer['data']
export type Service = NonNullable<Decision['explanation']>['services'][number]
export type Eligible = Extract<Service, { eligible: true }>
export type Excluded = Extract<Service, { eligible: false }>

export function eligibleOf(services: readonly Service[]): Eligible[] {
  return optionsOf(services).toSorted((a, b) => a.price_cents - b.price_cents)
}

/** Eligible services, in the order in which they would be booked. */
export function optionsOf(services: readonly Service[]): Eligible[] {
  return services.filter((one) => one.eligible)
}

export function excludedOf(services: readonly Service[]): Excluded[] {
  return services.filter((one) => !one.eligible)
}

/** The reason for the choice, in a sentence with the difference; `null` if the record has none. */
export function whySentence(delivery: Delivery, { explanation, attempts }: Decision): string | null {
  if (delivery.use_staff_couriers)
    return 'It goes with a courier of yours: no carrier was asked, and none is paid.'
  const options = eligibleOf(explanation?.services ?? [])
  const chosen = options.find(({ carrier_code }) => carrier_code === delivery.carrier_code)
  if (!chosen) return null
  if (options.length === 1) return `${chosen.service} is the only one that may carry it.`
  const [cheapest, next] = options as [Eligible, Eligible]
  if (chosen === cheapest) {
    const less = next.price_cents - chosen.price_cents
    const than = less === 0 ? `as cheap as ${next.service}` : `${dollars(less)} less than ${next.service}`
    return `The cheapest of the ${options.length} that may carry it: ${than}.`
  }
  const more = dollars(chosen.price_cents - cheapest.price_cents)
  const refused = attempts.find(({ service, state }) => service === cheapest.service && state === 'rejected')
  if (refused) {
    const message = refused.message ? `, saying “${refused.message}”` : ''
    return `${cheapest.service} would have cost ${more} less, but refused it${message}.`
  }
  return `${more} dearer than ${cheapest.service}: your account chooses in an order of its own.`
}

/** The option that would be chosen now, compared with the original choice. */
export function nowSentence([now]: readonly Eligible[], then: Eligible | undefined): string {
  if (!now) return 'Nobody could carry it now.'
  if (!then) return `${now.service} would be chosen now, for ${dollars(now.price_cents)}.`
  const more = now.price_cents - then.price_cents
  const price = `${dollars(Math.abs(more))} ${more < 0 ? 'less' : 'more'}`
  if (now.carrier_code === then.carrier_code) {
    return more === 0 ? `Still ${now.service}, for the same.` : `Still ${now.service}, for ${price} now.`
  }
  const than = more === 0 ? `the same as ${then.service}` : `${price} than ${then.service} was`
  return `${now.service} would be chosen now, for ${than}.`
}

/** The basis of its price; a chargeable weight with its reason if it exceeds the dead weight. */
export function formatBillingBasis(
  on: Eligible['billing_basis'],
  parcels: Delivery['parcels'],
): string | null {
  const distance = on?.distance_km === undefined ? [] : [formatKm(on.distance_km)]
  const weight = on?.weight_kg === undefined ? [] : [formatWeight(on.weight_kg, parcels)]
  const by = [...distance, ...weight]
  return by.length > 0 ? `Charged on ${by.join(' and ')}` : null
}

function formatWeight(chargeableKg: number, parcels: Delivery['parcels']): string {
  const deadKg = parcels.reduce((sum, { weight_kg, quantity }) => sum + weight_kg * quantity, 0)
  const words = `${shown(chargeableKg)} kg`
  if (chargeableKg - deadKg < MIN_KG) return words
  const [one, more] = parcels
  const { length_cm, width_cm, height_cm, quantity } = one as Delivery['parcels'][number]
  return more || quantity > 1
    ? `${words}, by volume: more than their ${shown(deadKg)} kg`
    : `${words}: ${length_cm} × ${width_cm} × ${height_cm} cm is more than its ${shown(deadKg)} kg`
}

const MIN_KG = 0.005

function shown(kg: number): number {
  return Math.round(kg * 100) / 100
}

/** The text of each rule for a service, before the figures of this job. */
export const RULE_TEXTS: Readonly<Record<ExclusionRule, string>> = {
  delivery_type: 'Another kind of delivery.',
  provider_options: 'Another carrier was asked for.',
  mode: 'Doesn’t deliver in this direction.',
  service_area: 'Outside its area.',
  address_kind: 'Doesn’t deliver to this kind of address.',
  parcel_type: 'Takes other kinds of parcel.',
  parcel_count: 'Too many parcels.',
  parcel_weight: 'A parcel is too heavy.',
  total_weight: 'Too heavy in all.',
  parcel_side: 'A parcel is too long.',
  parcel_volume: 'A parcel is too large.',
  dangerous_goods: 'Carries no such dangerous goods.',
  dangerous_goods_air: 'These may not fly.',
  product_types: 'Does not carry such goods.',
  declared_value: 'Worth more than it insures.',
  business_address: 'Goes to businesses only.',
  no_pickup: 'No pickup in time.',
  cut_off: 'Closed for the day.',
  operating_hours: 'Outside its hours.',
  carrier_price: 'Gave no price.',
  carrier_disabled: 'Switched off.',
  excluded_by_reassignment: 'The delivery was moved away from it.',
  refused: 'Refused it before.',
  store: 'Not set up at this store.',
}

/** The name of a price line, and its fill: base ink, weight blue, extras grey, surcharges hatched. */
export const LINE_TEXTS: Readonly<Record<string, { word: string; look: 's1' | 's2' | 's3' | 's4' }>> = {
  base: { word: 'Base', look: 's1' },
  zone: { word: 'Base for the zone', look: 's1' },
  fixed_price: { word: 'Fixed price', look: 's1' },
  carrier_price: { word: 'The carrier’s price', look: 's1' },
  held_price: { word: 'As quoted', look: 's3' },
  weight: { word: 'Weight', look: 's2' },
  distance: { word: 'Distance', look: 's3' },
  fuel: { word: 'Fuel', look: 's3' },
  markup: { word: 'Markup', look: 's3' },
  residential: { word: 'To a home', look: 's4' },
  dangerous_goods: { word: 'Dangerous goods', look: 's4' },
  surcharge: { word: 'Surcharge', look: 's4' },
}
