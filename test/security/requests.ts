import { allEndpoints } from '../../src/http/api/endpoints.ts'
import type { Endpoint } from '../../src/http/contract/endpoint.ts'
import { OPERATIONS, type Operation, resolved, type Schema } from '../fuzz/document.ts'
import { goodValue } from '../fuzz/good-value.ts'
import { seeded } from '../harness/random.ts'
import type { SeededAccount } from '../seed-account.ts'

export type Things = Readonly<Record<string, string>>
export type Position = { where: 'path' | 'query' | 'body'; name: string; path: readonly (string | number)[] }
export type Request = { line: string; body?: unknown }
export type Probed = Endpoint & { operation: Operation; ids: readonly string[] }

/** Every operation, with the names of the ids in its path. */
export const PROBED: readonly Probed[] = allEndpoints().map((endpoint) => {
  const operation = OPERATIONS.find(({ operationId }) => operationId === endpoint.operationId)
  if (!operation) throw new Error(`${endpoint.operationId} is not in the OpenAPI document.`)
  return { ...endpoint, operation, ids: [...endpoint.url.matchAll(/:([a-z_]+)/g)].map(([, id = '']) => id) }
})

/** Fields of bodies and queries that hold ids of an account. */
const NAMES_A_THING = /(?:^|_)(?:id|ids|reference|references|phone|email|token)$/
/** Every account has these values, or they are the account's own id, or (`id`) that of a JSON-RPC message. */
const NOT_OF_AN_ACCOUNT = new Set(['tenant_id', 'provider', 'adapter', 'version', 'account', 'booking', 'id'])

/** Every position of a request that may hold an id. */
export function positionsOf({ ids, operation, access }: Probed): Position[] {
  const inPath = ids.map((name): Position => ({ where: 'path', name, path: [] }))
  const inQuery = operation.parameters.flatMap(({ in: where, name }): Position[] =>
    where === 'query' && NAMES_A_THING.test(name) ? [{ where: 'query', name, path: [] }] : [],
  )
  const inBody = operation.body && access !== 'operator' ? fieldsOf(operation.body.schema, []) : []
  return [...inPath, ...inQuery, ...inBody].filter(({ name }) => !NOT_OF_AN_ACCOUNT.has(name))
}

function fieldsOf(schema: Schema, path: Position['path']): Position[] {
  const own = resolved(schema)
  const alternatives = (own.anyOf ?? own.oneOf ?? []) as Schema[]
  const properties = Object.entries((own.properties ?? {}) as Record<string, Schema>)
  return [
    ...alternatives.flatMap((one) => fieldsOf(one, path)),
    ...(own.type === 'array' ? fieldsOf(own.items as Schema, [...path, 0]) : []),
    ...properties.flatMap(([name, inner]): Position[] => [
      ...(NAMES_A_THING.test(name) ? [{ where: 'body' as const, name, path: [...path, name] }] : []),
      ...fieldsOf(inner, [...path, name]),
    ]),
  ]
}

/** The id of this name, or the first of several. */
export function thingOf(things: Things, name: string): string {
  const thing = things[name] ?? things[name.replace(/s$/, '')]
  if (thing === undefined) throw new Error(`test/seed-account.ts creates no ${name}: add one.`)
  return thing
}

/** The same body each time, except for its reference. */
const SEED = 2
let made = 0

/** An unused id of the same kind, which stays unused. */
export function stranger(thing: string): string {
  const id = /^([a-z]{3})_[0-9a-z]{26}$/.exec(thing)
  if (id) return `${id[1]}_01kb${`${++made}`.padStart(22, '0')}`
  if (thing.startsWith('+61')) return '+61491570110'
  if (thing.includes('@')) return 'nobody@people.example.com'
  return thing.length >= 32 ? `${'A'.repeat(thing.length - 1)}Q` : `nothing-${++made}`
}

/** A request of valid form with ids of one account only. */
export function requestOf(
  { method, url, operation }: Probed,
  { things }: Pick<SeededAccount, 'things'>,
): Request {
  const line = `${method} ${url.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(thingOf(things, name)))}`
  if (!operation.body) return { line }
  const body = structuredClone(operation.body.example ?? goodValue(operation.body.schema, seeded(SEED)))
  return { line, body: owned(body, things) }
}

/** Replaces the ids of a body with those of the account; its own reference is a new one each time. */
function owned(body: unknown, things: Things): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  const own = body as Record<string, unknown>
  for (const [name, value] of Object.entries(own)) {
    const thing = things[name] ?? things[name.replace(/s$/, '')]
    if (NAMES_A_THING.test(name) && thing) own[name] = Array.isArray(value) ? [thing] : thing
  }
  if ('reference' in own) own.reference = `MATRIX-${++made}`
  return own
}

/** The request with another id at one of its positions. */
export function withId(probed: Probed, request: Request, position: Position, id: string): Request {
  const { where, name } = position
  const [method = '', url = ''] = request.line.split(' ')
  if (where === 'query') return { ...request, line: `${method} ${url}?${name}=${encodeURIComponent(id)}` }
  if (where === 'body') return { ...request, body: withField(request.body, position.path, id) }
  const at = probed.url.split('/').indexOf(`:${name}`)
  const steps = url.split('/').map((step, i) => (i === at ? encodeURIComponent(id) : step))
  return { ...request, line: `${method} ${steps.join('/')}` }
}

function withField(body: unknown, path: Position['path'], id: string): unknown {
  const [step, ...rest] = path
  if (step === undefined) return id
  const inner = withField((body as Record<string | number, unknown> | undefined)?.[step], rest, id)
  if (typeof step === 'number') return [inner]
  return { ...(body as object | undefined), [step]: /s$/.test(step) && rest.length === 0 ? [inner] : inner }
}
