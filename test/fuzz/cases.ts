import { type Random, seeded } from '../harness/random.ts'
import type { Operation, Parameter, Schema } from './document.ts'
import { withEmpties, withoutEmpties } from './empties.ts'
import { goodValue } from './good-value.ts'
import { type Oddity, odd } from './malformed-requests.ts'
import { spoiled } from './mutate-value.ts'
import type { Pool } from './pool.ts'

/** The caller: bearers of the account of a case, by OpenAPI's name of the security scheme. */
export type Ways = Readonly<Record<string, Readonly<Record<string, string>>>>

export type Case = {
  /** The case's number. With the run's seed it makes the same case again, if earlier responses were the same. */
  index: number
  operation: Operation
  method: string
  url: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  /**
   * What OpenAPI says about the request: its form is valid, its form is invalid, or only its response is documented.
   */
  form: 'good' | 'bad' | 'odd'
}

export type Table = {
  operations: readonly Operation[]
  ways: Ways
  pool: Pool
  /** Valid bodies, besides OpenAPI's examples. */
  bodies: Readonly<Record<string, unknown>>
}

/** Operations that could lock the run out of its account act on another one. */
const APART = /^\/admin\/|\/(users|carriers|audit-log)(\/|$)/
const ACCOUNT = 'demo'
const OTHER_ACCOUNT = 'acme-byoc'

/** Password checks are slow on purpose. */
const SLOW = /^\/session(\/password)?$/

export function makeCase(seed: number, index: number, table: Table): Case {
  const random = seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  let operation = table.operations[index % table.operations.length] as Operation
  const slow = operation.method === 'POST' && SLOW.test(operation.path)
  if (slow && index >= table.operations.length && random.chance(0.7))
    operation = random.pick(table.operations)
  const accountId = APART.test(operation.path) ? OTHER_ACCOUNT : ACCOUNT
  const kind = random.pick(['good', 'good', 'empty', 'body', 'body', 'query', 'odd'] as const)
  const query = queryOf(operation, random, table.pool, kind === 'query')
  const filled = operation.body ? bodyOf(operation, random, table, kind === 'body') : undefined
  const body = kind === 'empty' ? withEmpties(operation, filled, random) : filled
  const made: Case = {
    index,
    operation,
    method: operation.method,
    url: pathOf(operation, accountId, random, table.pool) + textOf(query),
    headers: headersOf(operation, accountId, random, table),
    body: body === undefined ? undefined : JSON.stringify(body),
    form: isGood(operation, query, body) ? 'good' : 'bad',
  }
  if (made.body !== undefined) made.headers['content-type'] = 'application/json'
  if (kind !== 'odd') return made
  const oddity: Oddity = odd(made, random)
  return { ...made, ...oddity, headers: { ...made.headers, ...oddity.headers }, form: oddity.form ?? 'odd' }
}

function isGood(operation: Operation, query: Record<string, unknown>, body: unknown): boolean {
  // The body as it arrives: JSON leaves out a value that it cannot express.
  const value = body === undefined ? undefined : JSON.parse(JSON.stringify(body) ?? 'null')
  // `null` for an optional body counts as no body (check-request.ts).
  const sent = value === null && operation.body?.required === false ? undefined : value
  return (
    operation.acceptsQuery(query) &&
    (operation.body === null || operation.accepts(withoutEmpties(operation, sent))) &&
    !NO_TEXT.test(JSON.stringify(sent) ?? '')
  )
}

/** PostgreSQL's text allows no NUL and no unpaired surrogate, although a schema's string does. */
const NO_TEXT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/

function pathOf({ path, parameters }: Operation, accountId: string, random: Random, pool: Pool): string {
  return path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    if (name === 'tenant_id') return accountId
    const parameter = parameters.find((one) => one.name === name) as Parameter
    const known = [...(idsOf(parameter, pool) ?? []), ...pool.known(name)]
    const good = random.chance(0.9) && known.length > 0
    return encodeURIComponent(String(good ? random.pick(known) : random.pick(STRANGERS)))
  })
}

const STRANGERS = [
  'nowhere',
  'dlv_01kb0000000000000000000000',
  '0',
  '-',
  '...',
  '%',
  'é',
  '🚚',
  'x'.repeat(300),
]

/** OpenAPI states the prefix of each kind of id: "Our id (`dlv_…`)". */
function idsOf({ description = '' }: Parameter, pool: Pool): readonly unknown[] {
  const prefix = /`([a-z]{3})_…`/.exec(description)?.[1]
  return prefix ? pool.known(prefix) : []
}

function queryOf(
  { parameters }: Operation,
  random: Random,
  pool: Pool,
  spoil: boolean,
): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  for (const { in: where, name, required, schema } of parameters) {
    if (where !== 'query' || !(required || random.chance(0.25))) continue
    query[name] = goodValue(schema, random, pool.known, name)
  }
  if (!spoil) return query
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  const name = random.pick([...names, 'unknown', '__proto__'])
  return {
    ...query,
    [name]: random.pick(['', ' ', '-1', '1e18', 'null', 'a\u0000', 'x'.repeat(3_000), '[]']),
  }
}

function textOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function bodyOf(operation: Operation, random: Random, table: Table, spoil: boolean): unknown {
  const { schema, example, required } = operation.body as NonNullable<Operation['body']>
  if (!required && !spoil && random.chance(0.5)) return undefined
  const base = table.bodies[operation.operationId] ?? example
  const value = base !== undefined && random.chance(0.6) ? varied(schema, base, random, table.pool) : fresh()
  return spoil ? spoiled(schema, value, random) : value

  function fresh(): unknown {
    return goodValue(schema, random, table.pool.known)
  }
}

/** A valid body with a field or two changed and its own reference. */
function varied(schema: Schema, base: unknown, random: Random, pool: Pool): unknown {
  const value = structuredClone(base) as Record<string, unknown>
  const other = goodValue(schema, random, pool.known) as Record<string, unknown>
  for (const name of Object.keys(other)) if (random.chance(0.1)) value[name] = other[name]
  if ('reference' in value && 'store_reference' in value) value.reference = `FUZZ-${random.below(1e9)}`
  return value
}

function headersOf(
  { ways, parameters, method }: Operation,
  accountId: string,
  random: Random,
  { ways: given, pool }: Table,
): Record<string, string> {
  const headers: Record<string, string> = {}
  // Operations without an account use the account with all resources.
  const way = ways.find((one) => given[accountId]?.[one])
  if (way) headers.authorization = `Bearer ${given[accountId]?.[way]}`
  for (const { in: where, name } of parameters) {
    if (where !== 'header') continue
    if (name === 'Idempotency-Key' && method !== 'GET' && random.chance(0.3)) {
      headers[name] = random.chance(0.5) ? `fuzz-${random.below(20)}` : `fuzz-${random.below(1e9)}`
    }
    if (name === 'Link-Session') headers[name] = String(random.pick([...pool.known('link_session'), 'none']))
  }
  return headers
}
