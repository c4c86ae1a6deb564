import type { Random } from '../harness/random.ts'
import { resolved, type Schema } from './document.ts'

type Place = { schema: Schema; value: unknown; set(value: unknown): void; remove?: () => void }

/** The same value with one change, most often one that its schema rejects. */
export function spoiled(schema: Schema, value: unknown, random: Random): unknown {
  const root = { value: structuredClone(value) }
  const places = [...placesOf(schema, root.value, (changed) => (root.value = changed))]
  const place = random.pick(places)
  const ways = [...ANYWHERE, ...(MUTATIONS[kindOf(place.value)] ?? [])]
  random.pick(ways)(place, random)
  return root.value
}

function* placesOf(
  schema: Schema,
  value: unknown,
  set: Place['set'],
  remove?: Place['remove'],
): Generator<Place> {
  const own = resolved(schema)
  yield { schema: own, value, set, ...(remove ? { remove } : {}) }
  if (Array.isArray(value)) {
    for (let i = 0; i < Math.min(value.length, 3); i++) {
      yield* placesOf((own.items ?? {}) as Schema, value[i], (changed) => (value[i] = changed))
    }
    return
  }
  if (value === null || typeof value !== 'object') return
  const object = value as Record<string, unknown>
  const properties = (own.properties ?? {}) as Record<string, Schema>
  for (const [name, inner] of Object.entries(object)) {
    const setInner = (changed: unknown) => (object[name] = changed)
    yield* placesOf(properties[name] ?? {}, inner, setInner, () => delete object[name])
  }
}

type Way = (place: Place, random: Random) => void

const ANYWHERE: readonly Way[] = [
  ({ set, value }, random) => set(random.pick(OTHERS.filter((other) => kindOf(other) !== kindOf(value)))),
  ({ remove, set }) => (remove ? remove() : set(undefined)),
]

const OTHERS: readonly unknown[] = [null, '5', '', 5, -1, 0.5, true, [], {}, [null], { a: 1 }]

const MUTATIONS: Readonly<Record<string, readonly Way[]>> = {
  object: [
    ({ value }, random) => {
      const name = random.pick(['wieght', 'tenant_id', 'status', 'price_cents', 'booked_at', '$where', ''])
      Object.assign(value as object, { [name]: random.pick(OTHERS) })
    },
  ],
  array: [
    ({ value, set }) => set(Array.from({ length: 1_001 }, () => (value as unknown[])[0] ?? 1)),
    ({ value }) => (value as unknown[]).push({ odd: true }),
  ],
  string: [
    ({ schema, set }) => set('y'.repeat(((schema.maxLength as number) ?? 5_000) + 1)),
    ({ set }, random) =>
      set(
        random.pick([
          'a\u0000b',
          '\u202Eevil',
          'a\r\nb: c',
          '\u0085',
          ' spaced ',
          '2026-02-30T10:00',
          '2026-13-01',
        ]),
      ),
    ({ set, value }) => set(`${value}\ud800`),
  ],
  number: [
    ({ set }, random) => set(random.pick([-1, 0, 0.1, 1e-9, 3e9, 1e18, 2 ** 53, -(2 ** 53), 1.7e308])),
    ({ schema, set }) => set(((schema.minimum as number) ?? 0) - 1),
    ({ schema, set }) => set(((schema.maximum as number) ?? Number.MAX_SAFE_INTEGER) + 1),
  ],
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
