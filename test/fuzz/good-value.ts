import { parseDate, parseTimestamp } from '../../src/domain/calendar/timestamp.ts'
import type { Random } from '../harness/random.ts'
import { resolved, type Schema } from './document.ts'

/** Existing values for a field of this name: otherwise nearly every id would be unknown. Empty: none known. */
export type Known = (name: string) => readonly unknown[]

/** A value that the schema accepts, often at the limits of its numbers and texts. */
export function goodValue(schema: Schema, random: Random, known: Known = () => [], name = ''): unknown {
  const own = resolved(schema)
  const alternatives = (own.anyOf ?? own.oneOf) as Schema[] | undefined
  if (alternatives) return goodValue(random.pick(alternatives), random, known, name)
  if ('const' in own) return own.const
  if (own.enum) return random.pick(own.enum as unknown[])
  switch (own.type) {
    case 'object':
      return goodObject(own, random, known)
    case 'array':
      return goodList(own, random, known, name)
    case 'string':
      return goodText(own, random, known(name))
    case 'integer':
    case 'number':
      return goodNumber(own, random)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return random.pick(['text', 7, true, { free: 'form' }])
  }
}

function goodObject(schema: Schema, random: Random, known: Known): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = new Set((schema.required ?? []) as string[])
  const often = random.pick([0, 0.3, 0.7])
  const value: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(properties)) {
    if (required.has(name) || random.chance(often)) value[name] = goodValue(inner, random, known, name)
  }
  const free = schema.additionalProperties
  if (free !== null && typeof free === 'object' && random.chance(0.5)) {
    value[random.pick(['colour', 'note', 'x'])] = goodValue(free as Schema, random, known)
  }
  return value
}

function goodList(schema: Schema, random: Random, known: Known, name: string): unknown[] {
  const { minItems = 0, maxItems = 3, items = {} } = schema as Record<string, number> & { items?: Schema }
  const max = Math.min(maxItems, Math.max(minItems, random.chance(0.02) ? 200 : 3))
  const count = minItems + random.below(max - minItems + 1)
  const singular = name.replace(/s$/, '')
  return Array.from({ length: count }, () => goodValue(items, random, known, singular))
}

function goodNumber(schema: Schema, random: Random): number {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Record<string, number> & {
    type: string
  }
  const step = type === 'integer' ? 1 : 0.01
  const from = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + step)
  const to = maximum ?? (exclusiveMaximum === undefined ? from + 100_000 : exclusiveMaximum - step)
  const near = Math.min(to, from + random.below(50))
  return random.pick([from, to, near, near, near, Math.min(to, from + step)])
}

const OFTEN = [
  'Ada',
  '3053',
  'AU',
  'VIC',
  '2026-11-24',
  'ada@example.com',
  '+61491570156',
  'standard',
  '0800',
]
const WORDS = [
  ...OFTEN,
  '2026-11-24T13:00:00+11:00',
  '2026-11-24T13:00',
  '2026-12-25T23:59:59.999Z',
  'abcdEF12_-',
  // A SHA-256 as base64url: that of RFC 7636, appendix B.
  'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM',
  '00000000-0000-4000-8000-000000000000',
  'O’Brien & Sons',
  "Robert'); drop table deliveries; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '#{7*7} {{7*7}} %s%n',
  '=1+1',
  '日本語 عربى',
  '🚚🚚',
  'e\u0301 \u00e9',
  'https://hooks.example.com/a',
  '/portal/settings',
  'http://127.0.0.1/',
  'data:text/html,x',
  '9'.repeat(30),
  '-1',
  'null',
  'first line\nsecond',
]

/** An existing value, typical human input, or letters up to the maximum length. */
function goodText(schema: Schema, random: Random, known: readonly unknown[]): string {
  const fits = (text: string) => fitsText(schema, text)
  const texts = known.filter((one): one is string => typeof one === 'string' && fits(one))
  if (texts.length > 0 && random.chance(0.85)) return random.pick(texts)
  const { minLength = 0, maxLength = 60 } = schema as Record<string, number>
  const run = 'x'.repeat(random.pick([minLength, maxLength, Math.min(maxLength, minLength + 5)]))
  const choices = [...WORDS, run, run].filter(fits)
  if (choices.length === 0) throw new Error(`No value of WORDS fits ${JSON.stringify(schema)}: add one.`)
  return random.pick(choices)
}

const patterns = new Map<string, RegExp>()

function fitsText({ pattern, format, minLength, maxLength }: Schema, text: string): boolean {
  const length = [...text].length
  if (length < ((minLength as number) ?? 0) || length > ((maxLength as number) ?? Infinity)) return false
  if (format === 'iso-8601' && !parseTimestamp(text)) return false
  if (format === 'date' && parseDate(text) === null) return false
  if (typeof pattern !== 'string') return true
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, known)
  return known.test(text)
}
