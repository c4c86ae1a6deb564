import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiMistakes } from '../../../scripts/lint-openapi.ts'
import { deliveryBody, testDoor } from '../../../test/door.ts'
import { webhookReceiver } from '../../../test/webhook-receiver.ts'
import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { allEndpoints } from '../routes/endpoints.ts'
import { openApiDocument } from './document.ts'
import { codesOf } from './refusals.ts'

test('the document is OpenAPI 3.1 and keeps our own rules', async () => {
  assert.deepEqual(await openApiMistakes(), [])
})

test('the rules notice what they are for', async () => {
  const document = openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())
  const operation = document.paths['/{tenant_id}/stores']?.get as Record<string, unknown>
  Object.assign(operation, { operationId: 'createDelivery', summary: '', responses: {} })
  const schemas = document.components.schemas as Record<string, unknown>
  schemas.Loose = { type: 'object', properties: {} }
  const mistakes = (await openApiMistakes(document)).join('\n')
  for (const word of ['shares the operationId', 'no summary', 'lacks 401', 'Loose: is neither']) {
    assert.match(mistakes, new RegExp(word))
  }
})

test('what is told to endpoints is as the document says, and the document has every type of it', async (t) => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())),
  )
  assert.deepEqual(Object.keys(document.webhooks), EVENT_TYPES)
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi')
  const { call } = await testDoor(t)
  const receiver = await webhookReceiver(t)
  await call('POST /demo/webhook-endpoints', { body: { url: receiver.url } })
  await call('POST /demo/deliveries', { body: deliveryBody({ book_delivery_now: true }) })
  while (!receiver.taken.some(({ event }) => event.type === 'delivery.booked')) await turn()
  for (const { event, headers } of receiver.taken) {
    const pointer = `webhooks/${event.type}/post/requestBody/content/application~1json/schema`
    const $ref = `openapi#/${pointer.split('/').map(encodeURIComponent).join('/')}`
    const validate = ajv.compile({ $ref })
    const isTold = (body: object): boolean => validate(body)
    assert.ok(isTold(event), JSON.stringify(validate.errors))
    assert.ok(!isTold({ ...event, type: 'delivery.other' }))
    assert.ok(!isTold({ ...event, more: 1 }))
    for (const { name } of document.webhooks[event.type].post.parameters) assert.ok(headers[name], name)
  }
})

const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 20))

test('every example is what its schema asks for', () => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())),
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi')
  let checked = 0
  for (const { url, method, example } of allEndpoints()) {
    if (example === undefined) continue
    const path = url.replace(/:([a-z_]+)/g, '{$1}').replaceAll('/', '~1')
    const pointer = `paths/${path}/${method.toLowerCase()}/requestBody/content/application~1json/schema`
    const validate = ajv.compile({ $ref: `openapi#/${pointer.split('/').map(encodeURIComponent).join('/')}` })
    assert.ok(validate(example), `${url}: ${JSON.stringify(validate.errors)}`)
    checked++
  }
  assert.ok(checked >= 4)
})

test('the examples work on the demo account as they stand', async (t) => {
  const { call } = await testDoor(t, { work: false })
  for (const { url, method, example, answers, access } of allEndpoints()) {
    if (example === undefined || /:(?!tenant_id)/.test(url) || access === 'operator') continue
    const reply = await call(`${method} ${url.replace(':tenant_id', 'demo')}`, { body: example as object })
    assert.ok(Object.keys(answers).includes(String(reply.status)), `${url}: ${reply.text}`)
    assert.ok(reply.status < 300, `${url}: ${reply.text}`)
  }
})

test('the heads of refusals are described, and the pages that stand beside data', async (t) => {
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
    const told = Object.keys(document.paths[path][method].responses[status].headers)
    assert.deepEqual(
      [has.filter((name) => !told.includes(name)), hasNot.filter((name) => told.includes(name))],
      [[], []],
      `${path} ${status}`,
    )
  }
  const { call } = await testDoor(t, { work: false })
  for (const path of ['/track/{token}', '/l/{token}']) {
    const { content } = document.paths[path].get.responses[200]
    assert.deepEqual(Object.keys(content), ['application/json', 'text/html'])
    // Held to what is described, as every answer here.
    await call(`GET ${path.replace('{token}', 'none')}`, { token: null, headers: { accept: 'text/html' } })
  }
})

test('every code has a page entry, and every entry a code that is answered somewhere', async (t) => {
  const { call } = await testDoor(t, { work: false })
  const { text } = await call('GET /docs/errors', { token: null })
  const told = [...text.matchAll(/<section class="op sheet" id="([a-z_]+)"/g)].map(([, code]) => code)
  const answered = new Set([...allEndpoints().flatMap(codesOf), ...AT_NO_ENDPOINT])
  assert.deepEqual(told.toSorted(), [...answered].toSorted())
  assert.deepEqual(Object.keys(ERRORS).toSorted(), told.toSorted())
})

/** Refused before an endpoint is found. */
const AT_NO_ENDPOINT: readonly ErrorCode[] = ['method_not_allowed']

test('the pages load nothing from elsewhere and run only what their policy names', async (t) => {
  const { call } = await testDoor(t, { work: false })
  for (const path of ['/docs', '/docs/errors']) {
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

test('documents are compressed when asked, and not sent again when known', async (t) => {
  const { call } = await testDoor(t, { work: false })
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
