import type { EventChange } from '../../shared/api.generated.ts'
import { clockOf } from '../../shared/page-times.ts'
import { formatPhone } from '../format-phone.ts'

/** `phone from 0491 570 156 to 0491 570 157; parcels`: the changes of an amend, for people. */
export function describeChanges(changes: readonly EventChange[]): string {
  const message = changes.map(({ field, from, to }) => {
    const name = NAMES[field] ?? lastOf(field).replaceAll('_', ' ')
    const [before, after] = [formatValue(field, from), formatValue(field, to)]
    if (before === null || after === null) return name
    return `${name} from ${before} to ${after}`
  })
  return [...new Set(message)].join('; ')
}

const NAMES: Readonly<Record<string, string>> = {
  ready_for_pickup_at: 'ready time',
  reference: 'order number',
  delivery_type: 'delivery type',
  special_instructions: 'instructions',
  line_items: 'items',
  'address.address': 'street',
  'address.address2': 'unit',
  'address.city': 'suburb',
  'address.post_code': 'postcode',
  'address.lat': 'place on the map',
  'address.lng': 'place on the map',
  'address.business': 'business address',
  'address.company_name': 'company',
}

const MAX_LETTERS = 60

/** Null: too long for a line, or no value that people read. */
function formatValue(field: string, value: unknown): string | null {
  if (field === 'address.lat' || field === 'address.lng') return null
  if (value === null || value === '') return 'none'
  if (value === false) return 'no'
  if (value === true) return 'yes'
  if (typeof value === 'object') return null
  const text = String(value)
  if (field === 'ready_for_pickup_at') return formatReady(text)
  if (field === 'special_instructions') return text.length > MAX_LETTERS ? null : `“${text}”`
  return field.endsWith('phone') ? formatPhone(text) : text
}

/** `Tue 24 Nov 2:30 pm`, by the clock of the store. */
function formatReady(iso: string): string {
  const day = new Intl.DateTimeFormat('en-AU', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(new Date(`${iso.slice(0, 10)}T00:00:00Z`))
  return `${day.replace(',', '')} ${clockOf(iso)}`
}

function lastOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}
