import { formatDollars } from '../text/format-dollars.ts'
import { ZONE_TEXTS } from './timing-sentences.ts'

/** Labels of an account document's fields, where the field's name alone would not explain it. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  'booking.give_up_minutes': 'minutes until a delivery without a carrier is put on hold',
  'booking.lead_minutes': 'minutes between the booking and the time the order is ready',
  'booking.replan_when_dark_minutes':
    'minutes until we move uncollected deliveries away from a carrier that has stopped answering',
  'booking.replan_when_off': 'move uncollected deliveries away from a carrier that is switched off',
  'capabilities.click_and_deliver': 'booking links',
  'limits.dangerous_goods': 'dangerous goods that the carrier accepts',
  'limits.max_parcel_kg': 'maximum weight of a parcel in kg',
  'limits.max_parcel_m3': 'maximum volume of a parcel in m³',
  'limits.max_parcels': 'maximum number of parcels',
  'limits.max_side_cm': 'maximum length of a parcel in cm',
  'limits.max_total_kg': 'maximum weight of a consignment in kg',
  'limits.product_types': 'restricted goods that the carrier accepts',
  'limits.radius_km': 'maximum distance from the store in km',
  'limits.states': 'states that the carrier delivers to',
  'limits.stores': 'stores that the carrier collects from',
  'own_network.offer_minutes': 'minutes to accept a job',
  'people.second_factor': 'second factor at login',
  'price.base_cents': 'base price',
  'price.cubic_kg_per_m3': 'cubic factor',
  'price.dangerous_goods_cents': 'dangerous goods surcharge',
  'price.distance': 'charge for distance',
  'price.distance.cents_per_km': 'price per extra kilometre',
  'price.distance.included_km': 'kilometres in the base price',
  'price.fuel_percent': 'fuel surcharge, %',
  'price.residential_cents': 'residential surcharge',
  'price.weight': 'charge for weight',
  'price.weight.cents_per_kg': 'price per extra kilogram',
  'price.weight.included_kg': 'kilograms in the base price',
  'pricing.fixed_cents': 'fixed prices',
  'pricing.markup_percent': 'markup on every price, %',
  'rate_card.cubic_kg_per_m3': 'cubic factor of the price list',
  'quotes.carrier_deadline_ms': 'milliseconds to wait for live prices',
  'quotes.hold_minutes': 'minutes that a quote stays valid',
  'retention.audit_days': 'days to keep the audit log',
  'retention.delivery_days': 'days until a delivery’s personal data is erased',
  buffer_minutes: 'minutes between an order being ready and the earliest pickup',
  open_on_holidays: 'open on public holidays',
  own_carriers: 'the carriers are your own',
  pickup_ends_before_closing_minutes: 'minutes between the last collection and closing',
}

/** `limits.parcel_types` → `limits, parcel types`; `price.base_cents.rest` → `base price everywhere else`. */
export function toFieldLabel(field: string): string {
  if (Object.hasOwn(FIELD_LABELS, field)) return FIELD_LABELS[field]!
  const [, amount = '', zone = ''] = /^(price\..+)\.([a-z_]+)$/.exec(field) ?? []
  if (Object.hasOwn(ZONE_TEXTS, zone)) return `${toFieldLabel(amount)} ${ZONE_TEXTS[zone]}`
  return field
    .replaceAll('.', ', ')
    .replaceAll('_', ' ')
    .replace(/ cents$/, '')
}

/** A field’s value as people say it; money in dollars. */
export function formatFieldValue(field: string, value: unknown): string {
  if (value === null) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return /cents/.test(field) ? formatDollars(value) : String(value)
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : joinWithAnd(value.map((one) => formatFieldValue(field, one)))
  if (typeof value === 'object') {
    const inner = value as Record<string, unknown>
    return Object.entries(inner)
      .map(([name, one]) => {
        if (Object.hasOwn(ZONE_TEXTS, name)) return `${formatFieldValue(field, one)} ${ZONE_TEXTS[name]}`
        const path = `${field}.${name}`
        const label = Object.hasOwn(FIELD_LABELS, path) ? FIELD_LABELS[path] : name.replaceAll('_', ' ')
        return `${label} ${formatFieldValue(path, one)}`
      })
      .join(', ')
  }
  return String(value)
}

export function joinWithAnd(texts: readonly string[]): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}
