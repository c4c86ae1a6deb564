import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { deliveryBody, OPERATOR, quoteBody, testApi } from '../../../test/api.ts'
import { getBodyLimit } from '../admission/cost-of-request.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { openApiDocument } from '../openapi/document.ts'
import { SMALL_BODY, sizeWords } from './body-limit.ts'

const WITH_BODY = allEndpoints().filter(({ method }) => method !== 'GET')
/**
 * The one larger body that an unauthenticated client may send: a carrier's list of tracking events, which the carrier
 * signs.
 */
const LISTS_OF_ANYBODY = ['receiveCarrierWebhook']

test('a body without a token may have 16 KiB, except lists', () => {
  const larger = WITH_BODY.filter(
    ({ access, bodyLimit }) => access === 'public' && getBodyLimit(bodyLimit).bytes > SMALL_BODY.bytes,
  )
  assert.deepEqual(
    larger.map(({ operationId }) => operationId),
    LISTS_OF_ANYBODY,
  )
})

test('a body over its endpoint’s limit gets 413 with the limit, as the document says', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { paths } = openApiDocument({ version: 'test', publicUrl: 'http://drover.test' }, allEndpoints())
  for (const { method, url, access, bodyLimit, operationId } of WITH_BODY) {
    const { bytes } = getBodyLimit(bodyLimit)
    const path = url.replaceAll(/:([a-z_]+)/g, '{$1}')
    const operation = paths[path]?.[method.toLowerCase()] as {
      requestBody?: { description?: string }
      responses: Record<string, { description: string }>
    }
    assert.match(
      operation.responses[413]?.description ?? '',
      new RegExp(`At most ${sizeWords(bytes)}\\.`),
      url,
    )
    const { description } = operation.requestBody ?? {}
    if (description !== undefined)
      assert.ok(description.startsWith(`At most ${sizeWords(bytes)}.`), description)
    // A courier's own endpoints check the session before the body: driver-jobs.test.ts.
    if (access === 'driver') continue
    const address = url.replace(':tenant_id', 'demo').replaceAll(/:[a-z_]+/g, 'one')
    const headers = { 'content-type': 'application/json' }
    const token = access === 'operator' ? { token: OPERATOR } : access === 'public' ? { token: null } : {}
    const sent = await call(`${method} ${address}`, { payload: 'x'.repeat(bytes + 1), headers, ...token })
    assert.deepEqual(
      [sent.status, sent.json.detail],
      [413, `The body is larger than ${sizeWords(bytes)}.`],
      operationId,
    )
  }
})

test('the largest delivery that the schema allows is accepted, with every field of every parcel and item', async (t) => {
  const { call } = await testApi(t, { work: false })
  const parcels = Array.from({ length: 200 }, (_, i) => ({
    reference: `${i}`.padStart(100, 'P'),
    description: 'd'.repeat(200),
    type: 'carton',
    length_cm: 30.25,
    width_cm: 20.25,
    height_cm: 10.25,
    weight_kg: 2.125,
    quantity: 1,
    contains_dangerous_goods: true,
    dangerous_goods: {
      dangerous_goods_definition: 'lithium_batteries_equipment',
      dangerous_goods_declaration: 'declared'.padEnd(100, '.'),
      transportable_by_air: true,
      un_number: 3481,
      technical_name: 'n'.repeat(200),
      net_weight_kg: 0.5,
      class_division: 9,
      subsidiary_risk: 6.1,
      packing_group_designator: 'II',
      outer_packaging_type: 'fibreboard box',
      outer_packaging_quantity: 1,
    },
  }))
  const line_items = Array.from({ length: 500 }, (_, i) => ({
    code: `${i}`.padStart(100, 'C'),
    name: 'n'.repeat(200),
    price_cents: 123_456,
    quantity: 1,
    packing_instructions: 'this side up '.repeat(50),
  }))
  const metadata = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`${i}`.padStart(40, 'k'), 'v'.repeat(500)]),
  )
  const texts = { special_instructions: 's'.repeat(1_000), pickup_instructions: 'p'.repeat(1_000) }
  const body = deliveryBody({ parcels, line_items, metadata, ...texts })
  const sent = await call('POST /demo/deliveries', { body })
  assert.ok(JSON.stringify(body).length > 600_000)
  // The body may be rejected for its content, but not for its size.
  assert.ok([201, 422].includes(sent.status), sent.text.slice(0, 300))
  const kinds = (sent.json.errors ?? []).map(({ issue }: { issue: string }) => issue)
  assert.ok(!kinds.includes('too_many'), sent.text.slice(0, 300))
})

test('a body with too many values is rejected without being parsed', async (t) => {
  const { call } = await testApi(t, { work: false })
  const keys = `{${Array.from({ length: 1_000 }, (_, i) => `"k${i}":1`)}}`
  const many = `{"store_references":[${Array.from({ length: 2_600 }, () => '"x"')}]}`
  const cases = [
    ['POST /session', keys],
    ['POST /demo/auth/token', keys],
    ['POST /driver/login', keys],
    ['POST /l/token/verify', keys],
    ['POST /demo/deliveries', keys],
    ['POST /demo/deliveries/quote-next-available', keys],
    ['POST /demo/deliveries/labels', many],
  ] as const
  const parse = t.mock.method(JSON, 'parse')
  for (const [line, payload] of cases) {
    const before = parse.mock.calls.filter(({ arguments: [text] }) => text === payload).length
    const { status } = await call(line, { payload, headers: { 'content-type': 'application/json' } })
    assert.ok([422, 400].includes(status), `${line}: ${status}`)
    const after = parse.mock.calls.filter(({ arguments: [text] }) => text === payload).length
    assert.equal(after, before, line)
  }
})

test('a request costs one more for each 16 KiB of body, with or without a declared length', async (t) => {
  const { call, operator } = await testApi(t, { work: false })
  const document = (await operator('GET /admin/accounts/demo')).json
  const limits = { requests_per_second: 1, burst: 50 }
  await operator('PUT /admin/accounts/demo', { body: { ...document, limits } })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const padded = (bytes: number) => JSON.stringify(quoteBody).padEnd(bytes, ' ')
  const QUOTE = 'POST /demo/deliveries/quote-next-available'
  const json = { 'content-type': 'application/json' }
  let left = Number.NaN
  const costs: number[] = []
  for (const bytes of [600, 600, 16 * 1024 - 1, 16 * 1024, 100 * 1024]) {
    const { headers, status, text } = await call(QUOTE, { payload: padded(bytes), headers: json })
    assert.equal(status, 200, text)
    const now = Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])
    costs.push(left - now)
    left = now
  }
  assert.deepEqual(costs.slice(1), [1, 1, 2, 7])
  const chunks = {
    payload: Readable.from([Buffer.from(padded(64 * 1024))]),
    headers: { ...json, 'transfer-encoding': 'chunked' },
  }
  const unsized = await call(QUOTE, chunks)
  assert.equal(unsized.status, 200, unsized.text)
  assert.equal(left - Number(/r=(\d+)/.exec(String(unsized.headers.ratelimit))?.[1]), 5)
  const beyond = await call(QUOTE, { payload: padded(1_000_000), headers: json })
  assert.equal(beyond.status, 429)
})
