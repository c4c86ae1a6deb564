import type { Random } from '../harness/random.ts'
import { type Operation, resolved, type Schema } from './document.ts'

/** Empty fields, as shops send them if a customer left a field out. */
const EMPTY = ['', ' ', '\u00A0', null]

/** In the bodies of these operations an empty optional field counts as absent. */
const ABSENT_IF_EMPTY = new Set(['createDelivery', 'quoteDelivery', 'checkAvailability', 'createLink'])
/**
 * Fields that remove a value when they are empty; inside an object that replaces a whole one, empty counts as
 * absent.
 */
const CLEARABLE: Readonly<Record<string, readonly string[]>> = {
  amendDelivery: ['special_instructions', 'delivery_type', 'line_items'],
}

type Place = { object: Record<string, unknown>; name: string }

/** The body with up to three of its optional fields empty; unchanged for operations without empty fields. */
export function withEmpties(operation: Operation, body: unknown, random: Random): unknown {
  const value = structuredClone(body)
  const places = [...emptiable(operation, value)]
  if (places.length === 0) return value
  for (let left = 1 + random.below(3); left > 0; left--) {
    const { object, name } = random.pick(places)
    object[name] = random.pick(EMPTY)
  }
  return value
}

/** The body without its empty optional fields, which is how the operation reads it. */
export function withoutEmpties(operation: Operation, body: unknown): unknown {
  const value = structuredClone(body)
  for (const { object, name } of emptiable(operation, value)) {
    const field = object[name]
    if (field === null || (typeof field === 'string' && field.trim() === '')) delete object[name]
  }
  return value
}

function* emptiable({ operationId, body }: Operation, value: unknown): Generator<Place> {
  const clearable = CLEARABLE[operationId]
  if (!body || !(clearable || ABSENT_IF_EMPTY.has(operationId))) return
  for (const place of optionalFields(body.schema, value)) {
    if (!clearable || place.object !== value || clearable.includes(place.name)) yield place
  }
}

/** Every field, present or not, that its object does not require. */
function* optionalFields(schema: Schema, value: unknown): Generator<Place> {
  const own = resolved(schema)
  if (Array.isArray(value)) {
    for (const one of value.slice(0, 3)) yield* optionalFields((own.items ?? {}) as Schema, one)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const object = value as Record<string, unknown>
  const required = (own.required ?? []) as readonly string[]
  for (const [name, field] of Object.entries((own.properties ?? {}) as Record<string, Schema>)) {
    if (!required.includes(name)) yield { object, name }
    yield* optionalFields(field, object[name])
  }
}
