import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'

const document = openApiDocument({ version: 'test', publicUrl: 'http://drover.test' }, allEndpoints())
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema(JSON.parse(JSON.stringify(document)), 'openapi')

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    responses: operation.responses as Record<string, Described>,
  })),
)
type Described = { content?: Record<string, unknown>; headers: Record<string, unknown> }
const compiled = new Map<string, ValidateFunction>()

/** Headers that error responses have too. */
const HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'WWW-Authenticate']

/** Checks a response against the OpenAPI document: its status, its media type, its headers and every field. */
export function assertConforms(
  method: string,
  url: string,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: unknown,
): void {
  const pathname = url.split('?', 1)[0] as string
  const candidates = operations.filter((one) => one.method === method && one.pattern.test(pathname))
  // A static path wins over a parameter, as in the router.
  const operation = candidates.find(({ path }) => !path.endsWith('}')) ?? candidates[0]
  if (!operation || status === 405) return
  const where = `${method} ${operation.path} ${status}`
  const answer = operation.responses[status]
  assert.ok(answer, `${where} is not documented`)
  for (const name of HEADERS) {
    const isReported = headers[name.toLowerCase()] === undefined || name in answer.headers
    assert.ok(isReported, `${where} has an undocumented header ${name}`)
  }
  if (!answer.content) return
  const media = String(headers['content-type'])
  const type = media.split(';', 1)[0] as string
  assert.ok(type in answer.content, `${where} has an undocumented media type ${type}`)
  if (body === null) return
  const pointer = [
    'paths',
    operation.path,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    type,
    'schema',
  ]
    .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` })
  compiled.set(pointer, validate)
  assert.ok(validate(body), `${where} is not as documented: ${JSON.stringify(validate.errors?.slice(0, 5))}`)
}
