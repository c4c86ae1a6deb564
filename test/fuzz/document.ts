import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parseDate, parseTimestamp } from '../../src/domain/calendar/timestamp.ts'
import { allEndpoints } from '../../src/http/api/endpoints.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'

export type Schema = Record<string, unknown>
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}
/** One operation as OpenAPI describes it, without knowledge of the code. */
export type Operation = {
  operationId: string
  method: string
  path: string
  /** Names of the security schemes: `token`, `driver`, `operator`, `session`, `signature`; empty if public. */
  ways: readonly string[]
  parameters: readonly Parameter[]
  body: { schema: Schema; example?: unknown; required: boolean } | null
  accepts(body: unknown): boolean
  acceptsQuery(query: Readonly<Record<string, unknown>>): boolean
}

type Described = {
  operationId: string
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
}

const document = JSON.parse(
  JSON.stringify(openApiDocument({ version: 'test', publicUrl: 'http://drover.test' }, allEndpoints())),
) as { paths: Record<string, Record<string, Described>>; components: { schemas: Record<string, Schema> } }

const ajv = new Ajv2020({
  strict: false,
  formats: {
    'iso-8601': (text: string) => parseTimestamp(text) !== null,
    date: (text: string) => parseDate(text) !== null,
    'date-time': true,
    uri: true,
  },
})
ajv.addSchema(document, 'openapi')

export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
)

/** The schema behind a reference. */
export function resolved(schema: Schema): Schema {
  const { $ref, ...rest } = schema
  if (typeof $ref !== 'string') return schema
  const name = $ref.replace('#/components/schemas/', '')
  const target = document.components.schemas[name]
  if (!target) throw new Error(`The document has no schema ${name}.`)
  return { ...resolved(target), ...rest }
}

/** OpenID providers add parameters of their own to the address that they send people to. */
const OPEN_QUERIES = new Set(['finishOpenId'])

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId, security, parameters, requestBody } = described
  const media = requestBody?.content['application/json']
  const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema']
  const query = queryChecks(parameters)
  let validate: ValidateFunction | null = null
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    ways: security.flatMap((one) => Object.keys(one)),
    parameters,
    body: media ? { ...media, required: requestBody?.required ?? true } : null,
    accepts(body) {
      if (!media) return body === undefined
      if (body === undefined) return requestBody?.required === false
      validate ??= ajv.compile({ $ref: `openapi#/${pointer.map(escaped).join('/')}` })
      return validate(body) === true
    },
    acceptsQuery: (given) =>
      (OPEN_QUERIES.has(operationId) || Object.keys(given).every((name) => query.has(name))) &&
      [...query].every(([name, { required, check }]) => (name in given ? check(given[name]) : !required)),
  }
}

function queryChecks(parameters: readonly Parameter[]) {
  const inQuery = parameters.filter((one) => one.in === 'query')
  return new Map(
    inQuery.map(({ name, required, schema }) => {
      const validate = ajv.compile({ ...schema, $defs: {} })
      return [name, { required, check: (value: unknown) => validate(value) === true }]
    }),
  )
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}
