import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody, testApi } from '../../../../test/api.ts'
import { LINK_EXAMPLE } from '../fields/examples.ts'

test('a path with an empty part is rejected with its name', async (t) => {
  const { call } = await testApi(t, { work: false })
  const cases: [line: string, name: string][] = [
    ['GET /demo/deliveries/?limit=5', 'delivery_id_or_reference'],
    ['GET /demo/deliveries/', 'delivery_id_or_reference'],
    ['PATCH /demo/deliveries//amend', 'delivery_id_or_reference'],
    ['GET /demo/deliveries//label', 'delivery_id_or_reference'],
    ['GET /demo/stores/', 'store_id_or_reference'],
    ['POST /demo/manifests//submit', 'manifest_id'],
    ['DELETE /demo/links/', 'link_id'],
  ]
  for (const [line, name] of cases) {
    const { status, json } = await call(line)
    assert.equal(status, 404, line)
    assert.match(json.detail, new RegExp(`The address has no ${name}\\.`), line)
  }
})

test('a delivery with only dots as its reference is created, listed and read by id', async (t) => {
  const { call } = await testApi(t, { work: false })
  for (const reference of ['.', '..']) {
    const created = await call('POST /demo/deliveries', { body: deliveryBody({ reference }) })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json.data
    assert.equal((await call(`GET /demo/deliveries/${id}`)).json.data.reference, reference)
    const listed = await call(`GET /demo/deliveries?reference=${reference}`)
    assert.deepEqual(
      listed.json.data.map((one: { id: string }) => one.id),
      [id],
    )
  }
})

test('a 201 has the Location of the new resource, also when the key is repeated', async (t) => {
  const { call } = await testApi(t, { work: false })
  const link = { ...LINK_EXAMPLE, reference: 'LINK-1' }
  const cases: [line: string, body: object][] = [
    ['POST /demo/deliveries', deliveryBody()],
    ['POST /demo/links', link],
    ['POST /demo/webhook-endpoints', { url: 'https://hooks.shop.example/drover' }],
  ]
  for (const [line, body] of cases) {
    const headers = { 'idempotency-key': `key of ${line}` }
    const created = await call(line, { body, headers })
    assert.equal(created.status, 201, created.text)
    const location = String(created.headers.location)
    assert.ok(location.startsWith('/demo/'), line)
    const read = await call(`GET ${location}`)
    assert.equal(read.status, 200, location)
    assert.equal(read.json.data.id, created.json.data.id)
    assert.equal((await call(line, { body, headers })).headers.location, location, 'stored with the response')
  }
})

test('a 201 with one manifest has its Location; a 201 without manifests has none', async (t) => {
  const { call } = await testApi(t)
  const request = { store_reference: 'melbourne-cbd', create_manifest_now: false }
  const none = await call('POST /demo/store-manifests', { body: request })
  assert.deepEqual([none.status, none.json.data, none.headers.location], [201, [], undefined])
  const body = deliveryBody({ book_delivery_now: true, delivery_type: 'standard' })
  assert.equal((await call('POST /demo/deliveries', { body })).json.data.status, 'booked')
  const { json, headers } = await call('POST /demo/store-manifests', { body: request })
  assert.equal(json.data.length, 1)
  assert.equal(headers.location, `/demo/manifests/${json.data[0].id}`)
  assert.equal((await call(`GET ${headers.location}`)).json.data.id, json.data[0].id)
})

test('a problem’s type is the same at every installation, and /docs/errors explains its code', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { json } = await call('GET /demo/deliveries/none')
  assert.equal(json.type, 'urn:drover:error:not_found')
  const { text } = await call('GET /docs/errors', { token: null })
  assert.match(text, /id="not_found"[\s\S]*?<code>urn:drover:error:not_found<\/code>/)
})

test('OpenAPI and the response agree on what `requested_at` is', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { json: document } = await call('GET /openapi.json', { token: null })
  assert.match(
    document.components.schemas.Delivery.properties.requested_at.description,
    /entered the booking queue/,
  )
  const { json } = await call('POST /demo/deliveries', { body: deliveryBody() })
  assert.equal(json.data.requested_at, json.data.created_at)
})
