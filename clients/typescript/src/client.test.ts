import assert from 'node:assert/strict'
import test from 'node:test'
import { deliveryBody, quoteBody } from '../../../test/api.ts'
import { VERSION } from './call.ts'
import type { DeliveryRequest, QuoteRequest } from './index.ts'
import { Drover, DroverError } from './index.ts'
import { fakeFetch, json } from './test/fake-fetch.ts'
import { listeningApi } from './test/listening-api.ts'

const order = (over: object = {}) => deliveryBody(over) as unknown as DeliveryRequest
const quote = quoteBody as unknown as QuoteRequest

test('a quote, a booked delivery, its label as bytes, and the same delivery by its reference', async (t) => {
  const drover = (await listeningApi(t)).drover()
  const { data: quotes } = await drover.quotes.nextAvailable(quote, { hold: true })
  assert.ok(quotes.standard?.quote_id)

  const body = order({ delivery_type: 'standard', book_delivery_now: true })
  const delivery = await drover.deliveries.create(body)
  assert.equal(delivery.reference, body.reference)
  assert.ok(delivery.booked_at)

  const pdf = await drover.deliveries.label(body.reference as string)
  assert.ok(pdf instanceof Uint8Array)
  assert.equal(new TextDecoder().decode(pdf.subarray(0, 5)), '%PDF-')
  const zpl = await drover.deliveries.label(body.reference as string, { format: 'zpl' })
  assert.match(new TextDecoder().decode(zpl), /^\^XA/)
  assert.equal((await drover.deliveries.get(delivery.id)).reference, body.reference)
})

test('a list goes over its pages, and toArray stops at its limit', async (t) => {
  const drover = (await listeningApi(t)).drover()
  for (let made = 0; made < 5; made++) await drover.deliveries.create(order())
  const seen: string[] = []
  for await (const { id } of drover.deliveries.list({ limit: 2 })) seen.push(id)
  assert.equal(new Set(seen).size, 5)
  assert.equal((await drover.deliveries.list({ limit: 2 }).toArray({ limit: 3 })).length, 3)
  const { data, pagination } = await drover.deliveries.list({ limit: 2 }).page()
  assert.equal(data.length, 2)
  assert.equal(pagination.has_more, true)
  const stores = await drover.stores.list().toArray()
  assert.ok(stores.some(({ reference }) => reference === 'melbourne-cbd'))
  assert.deepEqual(await drover.staffCouriers.list().toArray({ limit: 0 }), [])
  assert.ok((await drover.staffCouriers.list().toArray()).length > 0)
})

test('a refusal is an error with its code, its fields and the request id', async (t) => {
  const drover = (await listeningApi(t)).drover()
  const wrong = { ...order(), store_reference: undefined } as unknown as DeliveryRequest
  const error = await drover.deliveries.create(wrong).catch((failure: unknown) => failure)
  assert.ok(error instanceof DroverError)
  assert.equal(error.code, 'invalid_request')
  assert.equal(error.status, 422)
  assert.equal(error.errors[0]?.field, 'store_reference')
  assert.ok(error.requestId)
  await assert.rejects(drover.deliveries.get('no-such-order'), { code: 'not_found', status: 404 })
})

test('a reference with a slash, a space or a question mark is one part of the path', async (t) => {
  const drover = (await listeningApi(t)).drover()
  const { reference } = await drover.deliveries.create(order({ reference: 'WC 10/471?' }))
  assert.equal((await drover.deliveries.get('WC 10/471?')).reference, reference)
  for (const dangerous of ['', '.', '..']) {
    assert.throws(() => drover.deliveries.get(dangerous), TypeError)
  }
})

test('a wrong secret is an error of the first request', async (t) => {
  const drover = (await listeningApi(t)).drover({ clientSecret: 'wrong' })
  await assert.rejects(drover.stores.list().page(), { name: 'DroverError', status: 401 })
})

test('a browser’s client takes a token, never a secret', (t) => {
  Object.assign(globalThis, { document: {} })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  const where = { baseUrl: 'http://drover.test', account: 'demo' }
  assert.throws(() => new Drover({ ...where, clientId: 'c', clientSecret: 's' }), /must not be in a browser/)
  assert.ok(new Drover({ ...where, token: async () => 'token' }).deliveries)
})

test('a request has the client’s User-Agent, but not in a browser', async (t) => {
  const fetch = fakeFetch(json(200, { data: {} }))
  const where = { baseUrl: 'http://drover.test', account: 'demo', token: async () => 'token', fetch }
  await new Drover(where).deliveries.get('dlv_1')
  Object.assign(globalThis, { document: {} })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  await new Drover(where).deliveries.get('dlv_1')
  assert.deepEqual(
    fetch.sent.map(({ headers }) => headers['user-agent']),
    [`drover-client-typescript/${VERSION}`, undefined],
  )
})

test('a revoked token is renewed once, and the request repeated', async (t) => {
  const { baseUrl, api } = await listeningApi(t)
  const given = ['revoked', await api.tokenOf('demo-client', 'demo-secret')]
  let calls = 0
  const token = async () => given[Math.min(calls++, 1)] as string
  const drover = new Drover({ baseUrl, account: 'demo', token })
  assert.ok((await drover.stores.list().toArray()).length > 0)
  assert.equal(calls, 2)
})

test('the feed gives each event once and in order, over pages, until its signal', async (t) => {
  const drover = (await listeningApi(t, { work: true })).drover()
  const wanted = new Set<string>()
  for (let made = 0; made < 3; made++) wanted.add((await drover.deliveries.create(order())).id)
  const stop = new AbortController()
  const seen: string[] = []
  let last: string | undefined
  for await (const event of drover.events.follow({ signal: stop.signal, pollMs: 50 })) {
    last = event.next ?? last
    if (event.type !== 'delivery.created') continue
    seen.push(event.data.delivery_id as string)
    // Made while the feed is read.
    if (seen.length === 3) wanted.add((await drover.deliveries.create(order())).id)
    if (seen.length === 4) stop.abort()
  }
  assert.deepEqual(seen, [...wanted])

  const later = await drover.deliveries.create(order())
  for await (const event of drover.events.follow({ after: last, pollMs: 50 })) {
    if (event.type !== 'delivery.created' || wanted.has(event.data.delivery_id as string)) continue
    assert.equal(event.data.delivery_id, later.id)
    break
  }
})
