import type { ExclusionRule } from '../../../src/domain/quoting/decision.ts'
import { formatDollars } from '../../../src/domain/text/format-dollars.ts'
import type { DecisionAnswer, Delivery } from '../../shared/api.generated.ts'
import { formatKm } from '../../shared/format-km.ts'

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
    return 'This delivery is a job for one of your own couriers, so we didn’t book a carrier.'
  const options = eligibleOf(explanation?.services ?? [])
  const chosen = options.find(({ carrier_code }) => carrier_code === delivery.carrier_code)
  if (!chosen) return noCarrierSentence(delivery, explanation)
  if (options.length === 1) return `${chosen.service} is the only service that can take this delivery.`
  const [cheapest, next] = options as [Eligible, Eligible]
  if (chosen === cheapest) {
    const less = next.price_cents - chosen.price_cents
    return less === 0
      ? `No cheaper service can take this delivery; ${next.service} costs the same.`
      : `The cheapest of the ${options.length} services that can take this delivery: ${formatDollars(less)} less than ${next.service}.`
  }
  const moreCents = chosen.price_cents - cheapest.price_cents
  const refused = attempts.find(({ service, state }) => service === cheapest.service && state === 'rejected')
  if (refused) {
    const message = refused.message ? `, saying “${refused.message.replace(/\.$/, '')}”` : ''
    const cost = moreCents === 0 ? 'the same' : `${formatDollars(moreCents)} less`
    return `${cheapest.service} would have cost ${cost} but refused the delivery${message}.`
  }
  return moreCents === 0
    ? `The same price as ${cheapest.service}. Your settings put this service first.`
    : `${formatDollars(moreCents)} more than ${cheapest.service}. Your settings put this service first.`
}

/** Of a delivery that no carrier has: its excluded services and refusals are listed below the sentence. */
function noCarrierSentence(delivery: Delivery, explanation: Decision['explanation']): string | null {
  const services = explanation?.services ?? []
  if (delivery.carrier_provider || delivery.booking_attempt === 'unanswered' || services.length === 0)
    return null
  return eligibleOf(services).length === 0
    ? 'No service can take this delivery. The reasons are below.'
    : 'No carrier has accepted this delivery.'
}

/** The option that would be chosen now, compared with the original choice. */
export function nowSentence([now]: readonly Eligible[], then: Eligible | undefined): string {
  if (!now) return 'No service can take this delivery right now.'
  if (!then) return `${now.service} would be chosen now, for ${formatDollars(now.price_cents)}.`
  const more = now.price_cents - then.price_cents
  const price = `${formatDollars(Math.abs(more))} ${more < 0 ? 'less' : 'more'}`
  if (now.carrier_code === then.carrier_code) {
    return more === 0 ? `Still ${now.service}, at the same price.` : `Still ${now.service}, now ${price}.`
  }
  const than = more === 0 ? `at the same price as ${then.service}` : `for ${price} than ${then.service} cost`
  return `${now.service} would be chosen now, ${than}.`
}

/** The basis of its price; a chargeable weight with its reason if it exceeds the dead weight. */
export function formatBillingBasis(
  on: Eligible['billing_basis'],
  parcels: Delivery['parcels'],
): string | null {
  const distance = on?.distance_km === undefined ? [] : [formatKm(on.distance_km)]
  const weight = on?.weight_kg === undefined ? [] : [formatWeight(on.weight_kg, parcels)]
  const by = [...distance, ...weight]
  return by.length > 0 ? `Charged for ${by.join(' and ')}` : null
}

function formatWeight(chargeableKg: number, parcels: Delivery['parcels']): string {
  const deadKg = parcels.reduce((sum, { weight_kg, quantity }) => sum + weight_kg * quantity, 0)
  const words = `${shown(chargeableKg)} kg`
  if (chargeableKg - deadKg < MIN_KG) return words
  const [one, more] = parcels
  const { length_cm, width_cm, height_cm, quantity } = one as Delivery['parcels'][number]
  return more || quantity > 1
    ? `${words} by volume (the parcels weigh ${shown(deadKg)} kg)`
    : `${words} by volume (${length_cm} × ${width_cm} × ${height_cm} cm; the parcel weighs ${shown(deadKg)} kg)`
}

const MIN_KG = 0.005

function shown(kg: number): number {
  return Math.round(kg * 100) / 100
}

/** The text of each rule for a service, before the figures of this job. */
export const RULE_TEXTS: Readonly<Record<ExclusionRule, string>> = {
  delivery_type: 'Not the requested delivery type.',
  provider_options: 'Not one of the requested carriers.',
  mode: 'Doesn’t make this kind of trip (to or from the customer).',
  service_area: 'Outside its service area.',
  address_kind: 'Doesn’t deliver to this kind of address.',
  parcel_type: 'Doesn’t take this kind of parcel.',
  parcel_count: 'Too many parcels.',
  parcel_weight: 'A parcel is too heavy.',
  total_weight: 'The parcels are too heavy in total.',
  parcel_side: 'A parcel is too long.',
  parcel_volume: 'A parcel is too large.',
  dangerous_goods: 'Doesn’t carry these dangerous goods.',
  dangerous_goods_air: 'These goods can’t go by air.',
  product_types: 'Doesn’t carry these goods.',
  declared_value: 'The goods are worth more than this service accepts.',
  business_address: 'Only delivers to businesses.',
  no_pickup: 'No pickup time available.',
  cut_off: 'Its cut-off is before the store’s first pickup.',
  operating_hours: 'Outside its operating hours.',
  carrier_price: 'Didn’t give a price.',
  carrier_disabled: 'Switched off.',
  not_set_up: 'Not set up.',
  excluded_by_reassignment: 'The delivery was moved away from this carrier.',
  refused: 'Already refused the delivery.',
  store: 'Not set up for this store.',
}

/** The name of a price line, and its fill: base ink, weight blue, extras grey, surcharges hatched. */
export const LINE_TEXTS: Readonly<Record<string, { word: string; look: 's1' | 's2' | 's3' | 's4' }>> = {
  base: { word: 'Base price', look: 's1' },
  zone: { word: 'Base price for the zone', look: 's1' },
  fixed_price: { word: 'Fixed price', look: 's1' },
  carrier_price: { word: 'The carrier’s price', look: 's1' },
  held_price: { word: 'Quoted price', look: 's3' },
  weight: { word: 'Weight', look: 's2' },
  distance: { word: 'Distance', look: 's3' },
  fuel: { word: 'Fuel', look: 's3' },
  markup: { word: 'Markup', look: 's3' },
  residential: { word: 'Residential delivery', look: 's4' },
  dangerous_goods: { word: 'Dangerous goods', look: 's4' },
  surcharge: { word: 'Surcharge', look: 's4' },
}
