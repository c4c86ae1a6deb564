import { formatClock, formatRange } from './clock-text.ts'

type Change = { field: string; from: unknown; to: unknown }

/** What a change of a delivery type's or a service's timing means, as a sentence; null: another sentence says it. */
export function toTimingSentence(subject: string, { field, from, to }: Change): string | null {
  const path = field.split('.').slice(1)
  const [kind, name, zone] = path
  if (name === undefined) return kind === undefined ? null : kindSentence(subject, kind, to)
  const say = TEXTS[name]
  if (!say) return null
  if (name === 'minutes_per_km' && to === 0) return toTimingSentence(subject, { field, from, to: undefined })
  const where = zone ? ` ${ZONE_TEXTS[zone] ?? zone}` : ''
  return `${subject}: ${say(to)}${where}${from === undefined || to === undefined ? '' : ` instead of ${toValue(name, from)}`}.`
}

/** A timing is one of two kinds; the sentence names the new one. */
function kindSentence(subject: string, kind: string, to: unknown): string | null {
  if (to === undefined) return null
  return kind === 'after_pickup'
    ? `${subject}: delivery windows are now set in minutes after the pickup, instead of business days.`
    : `${subject}: delivery windows are now set in business days, instead of minutes after the pickup.`
}

const TEXTS: Readonly<Record<string, (to: unknown) => string>> = {
  cut_off: (to) => `the last pickup of the day is at ${toValue('cut_off', to)}`,
  last_pickup: (to) =>
    to === undefined
      ? 'couriers collect until the store closes'
      : `the last pickup of the day is at ${toValue('last_pickup', to)}`,
  days: (to) => `deliveries arrive ${toValue('days', to)}`,
  from: (to) => `deliveries arrive from ${toValue('from', to)}`,
  to: (to) => `deliveries arrive by ${toValue('to', to)}`,
  lead_minutes: (to) => `the window starts ${toValue('lead_minutes', to)}`,
  minutes_per_km: (to) =>
    to === undefined
      ? 'distance no longer adds time'
      : `each kilometre adds ${toValue('minutes_per_km', to)}`,
  window_minutes: (to) => `the window is ${toValue('window_minutes', to)} long`,
  hours: (to) =>
    to === undefined ? 'couriers collect at any time' : `couriers collect ${toValue('hours', to)}`,
}

/** Where a delivery goes, after what is said of it: “$9.50 in the same city”. */
export const ZONE_TEXTS: Readonly<Record<string, string>> = {
  same_metro: 'in the same city',
  same_state: 'in the same state',
  interstate_capital: 'in interstate capitals',
  rest: 'everywhere else',
}

function toValue(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([zone, one]) => `${toValue(name, one)} ${ZONE_TEXTS[zone] ?? zone}`)
      .join(', ')
  }
  if (name === 'days')
    return value === 0
      ? 'on the day of pickup'
      : `${value === 1 ? '1 business day' : `${value} business days`} after pickup`
  if (name === 'lead_minutes' && value === 0) return 'at the pickup'
  if (name === 'lead_minutes') return `${value === 1 ? '1 minute' : `${value} minutes`} after the pickup`
  if (/minutes/.test(name)) return value === 1 ? '1 minute' : `${value} minutes`
  if (typeof value !== 'string') return String(value)
  return value.includes('-') ? formatRange(value) : formatClock(value)
}
