import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiMistakes } from '../../../scripts/lint-openapi.ts'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { until } from '../../../test/wait-until.ts'
import { webhookReceiver } from '../../../test/webhook-receiver.ts'
import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { openApiDocument } from './document.ts'
import { listCodes } from './refusals.ts'

test('the document is OpenAPI 3.1 and follows our own rules', async () => {
  assert.deepEqual(await openApiMistakes(), [])
})

test('the rules report every violation', async () => {
  const document = openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())
  const operation = document.paths['/{tenant_id}/stores']?.get as Record<string, unknown>
  Object.assign(operation, { operationId: 'createDelivery', summary: '', responses: {} })
  const schemas = document.components.schemas as Record<string, unknown>
  schemas.Loose = { type: 'object', properties: {} }
  const mistakes = (await openApiMistakes(document)).join('\n')
  for (const part of [
    'shares the operationId',
    'no summary',
    'lacks 401',
    'Loose: additionalProperties is missing',
  ]) {
    assert.match(mistakes, new RegExp(part))
  }
})

test('webhook messages match the document, and the document has every event type', async (t) => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())),
  )
  assert.deepEqual(Object.keys(document.webhooks), EVENT_TYPES)
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi')
  const { call } = await testApi(t)
  const receiver = await webhookReceiver(t)
  await call('POST /demo/webhook-endpoints', { body: { url: receiver.url } })
  await call('POST /demo/deliveries', { body: deliveryBody({ book_delivery_now: true }) })
  await until(() => receiver.taken.some(({ event }) => event.type === 'delivery.booked'), 'it is booked')
  for (const { event, headers } of receiver.taken) {
    const pointer = `webhooks/${event.type}/post/requestBody/content/application~1json/schema`
    const $ref = `openapi#/${pointer.split('/').map(encodeURIComponent).join('/')}`
    const validate = ajv.compile({ $ref })
    const isReported = (body: object): boolean => validate(body)
    assert.ok(isReported(event), JSON.stringify(validate.errors))
    assert.ok(!isReported({ ...event, type: 'delivery.other' }))
    assert.ok(!isReported({ ...event, more: 1 }))
    for (const { name } of document.webhooks[event.type].post.parameters) assert.ok(headers[name], name)
  }
})

test('every example matches its schema, and every required body has one', () => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())),
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi')
  for (const { url, method, exampleCall } of allEndpoints()) {
    const path = url.replace(/:([a-z_]+)/g, '{$1}')
    const { requestBody } = document.paths[path][method.toLowerCase()]
    if (!requestBody?.required || exampleCall?.bodyFile) continue
    const [[media, { example }]] = Object.entries<{ example?: unknown }>(requestBody.content) as [
      [string, { example?: unknown }],
    ]
    assert.notEqual(example, undefined, `${method} ${url}`)
    if (typeof example === 'string') continue
    const steps = ['paths', path, method.toLowerCase(), 'requestBody', 'content', media, 'schema']
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/')
    const validate = ajv.compile({ $ref: `openapi#/${pointer}` })
    assert.ok(validate(example), `${url}: ${JSON.stringify(validate.errors)}`)
  }
})

test('every pattern means the same in JavaScript, Python and Go', () => {
  const document = openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())
  const patterns = new Set(patternsIn(JSON.parse(JSON.stringify(document))))
  assert.ok(patterns.size > 5)
  for (const pattern of patterns) {
    // Forbids property and class escapes, escapes past Latin-1, back references, and groups other than `(?:`.
    assert.doesNotMatch(pattern, /\\[pPuUkcdDwWsSbB1-9]|\(\?[^:]/, pattern)
    for (const [, max = '0'] of pattern.matchAll(/\{\d*,?(\d+)\}/g))
      assert.ok(Number(max) <= 1_000, `${pattern}: RE2 repeats at most 1,000 times`)
  }
})

function patternsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}

test('no schema uses MAX_SAFE_INTEGER as a bound, and every body has a description', () => {
  const text = JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints()))
  assert.ok(!text.includes(String(Number.MIN_SAFE_INTEGER)))
  assert.ok(!text.includes('"*/*"'))
})

test('links point to existing operations, by parameters that they accept', () => {
  const { paths } = JSON.parse(
    JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())),
  )
  const operations = Object.values<Record<string, LinkedOperation>>(paths).flatMap((path) =>
    Object.values(path),
  )
  const links = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ links = {} }) => Object.values(links)),
  )
  assert.ok(links.length > 10)
  for (const { operationId, parameters } of links) {
    const to = operations.find((one) => one.operationId === operationId)
    const names = to?.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
    assert.deepEqual(Object.keys(parameters).toSorted(), names?.toSorted(), operationId)
  }
})

type LinkedOperation = {
  operationId: string
  parameters: { name: string; in: string }[]
  responses: Record<string, { links?: Record<string, { operationId: string; parameters: object }> }>
}

test('error headers are described, and so are pages that share a path with data', async (t) => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())),
  )
  const cases: [path: string, method: string, status: number, has: string[], hasNot: string[]][] = [
    ['/{tenant_id}/stores', 'get', 401, ['WWW-Authenticate'], ['RateLimit']],
    ['/{tenant_id}/stores', 'get', 403, ['WWW-Authenticate', 'RateLimit', 'RateLimit-Policy'], []],
    ['/{tenant_id}/stores', 'get', 429, ['RateLimit', 'Retry-After'], ['WWW-Authenticate']],
    ['/{tenant_id}/deliveries', 'post', 409, ['RateLimit', 'Retry-After', 'Idempotent-Replayed'], []],
    ['/{tenant_id}/deliveries', 'post', 413, ['RateLimit'], ['Retry-After', 'Idempotent-Replayed']],
    ['/{tenant_id}/auth/token', 'post', 401, ['WWW-Authenticate'], ['RateLimit']],
  ]
  for (const [path, method, status, has, hasNot] of cases) {
    const documented = Object.keys(document.paths[path][method].responses[status].headers)
    assert.deepEqual(
      [has.filter((name) => !documented.includes(name)), hasNot.filter((name) => documented.includes(name))],
      [[], []],
      `${path} ${status}`,
    )
  }
  const { call } = await testApi(t, { work: false })
  for (const path of ['/track/{token}', '/l/{token}']) {
    const { content } = document.paths[path].get.responses[200]
    assert.deepEqual(Object.keys(content), ['application/json', 'text/html'])
    // Checked against its description, like every response here.
    await call(`GET ${path.replace('{token}', 'none')}`, { token: null, headers: { accept: 'text/html' } })
  }
})

test('every error code has a page entry, and every entry has a code that is in use', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { text } = await call('GET /docs/errors', { token: null })
  const documented = [...text.matchAll(/<section class="op sheet" id="([a-z_]+)"/g)].map(([, code]) => code)
  const codesInUse = new Set([...allEndpoints().flatMap(listCodes), ...AT_NO_ENDPOINT])
  assert.deepEqual(documented.toSorted(), [...codesInUse].toSorted())
  assert.deepEqual(Object.keys(ERRORS).toSorted(), documented.toSorted())
})

/** Rejected before an endpoint is matched, or answered by a tool of the MCP endpoint. */
const AT_NO_ENDPOINT: readonly ErrorCode[] = ['method_not_allowed', 'spending_limit_reached']

test('the pages load nothing from other hosts and run only what their policy allows', async (t) => {
  const { call } = await testApi(t, { work: false })
  for (const path of ['/docs', '/docs/errors', '/docs/guides', '/docs/guides/people']) {
    const { status, text, headers } = await call(`GET ${path}`, { token: null })
    assert.equal(status, 200)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|https?:/)
    assert.doesNotMatch(text, /<(script|link|img|iframe)[^>]+(src|href)=/i)
    assert.doesNotMatch(text, / on[a-z]+="| style="/)
    for (const [, id] of text.matchAll(/href="#([^"]+)"/g))
      assert.ok(text.includes(`id="${id}"`), `${path}#${id}`)
  }
})

test('documents are compressed on request, and get 304 when unchanged', async (t) => {
  const { call } = await testApi(t, { work: false })
  const plain = await call('GET /openapi.json', { token: null })
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.json.openapi, '3.1.0')
  const cases = [
    ['gzip', 'gzip'],
    ['br, gzip', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ] as const
  for (const [accepts, encoding] of cases) {
    const reply = await call('GET /docs', { token: null, headers: { 'accept-encoding': accepts } })
    assert.equal(reply.headers['content-encoding'], encoding, accepts)
    assert.equal(reply.headers.vary, 'accept-encoding')
  }
  const etag = String(plain.headers.etag)
  const known = await call('GET /openapi.json', { token: null, headers: { 'if-none-match': etag } })
  assert.equal(known.status, 304)
  assert.equal(known.text, '')
})
