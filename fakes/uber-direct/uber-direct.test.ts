import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import type { RunningFake } from '../fake.ts'
import { startUberDirect, UBER_CLIENT } from './start-uber-direct.ts'

const NOON_MS = Date.parse('2026-11-24T01:00:00Z')
const ROBO_END = { seconds: 150 }

const where = {
  pickup_address: JSON.stringify({
    street_address: ['200 Bourke St', 'Shop 3'],
    city: 'Melbourne',
    state: 'VIC',
    zip_code: '3000',
    country: 'AU',
  }),
  dropoff_address: '12 Rathdowne St, Carlton, VIC 3053',
  pickup_latitude: -37.8129,
  pickup_longitude: 144.9677,
  dropoff_latitude: -37.8005,
  dropoff_longitude: 144.9716,
}
const delivery = {
  ...where,
  pickup_name: 'Melbourne CBD',
  pickup_phone_number: '+61391234567',
  dropoff_name: 'Ada Customer',
  dropoff_phone_number: '+61491570156',
  manifest_items: [{ name: 'Box', quantity: 2, size: 'medium', price: 4_500 }],
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any answer.
type Reply = { status: number; json: any }

let fake: RunningFake
let token = ''
before(async () => {
  fake = await startUberDirect({ nowMs: NOON_MS })
  token = (await signIn()).json.access_token
})
after(() => fake.close())
beforeEach(async () => {
  await control('couriers', { free: true })
  await control('fates', { reference: '*', fate: 'delivered' })
  await fetch(`${fake.url}/_fake/webhooks`, { method: 'DELETE' })
  await advance({ minutes: 10 })
})

async function reply(response: Response): Promise<Reply> {
  const text = await response.text()
  return { status: response.status, json: text === '' ? null : JSON.parse(text) }
}

async function signIn(changed: Record<string, string> = {}): Promise<Reply> {
  const form = {
    client_id: UBER_CLIENT.clientId,
    client_secret: UBER_CLIENT.clientSecret,
    grant_type: 'client_credentials',
    scope: 'eats.deliveries',
    ...changed,
  }
  const body = new URLSearchParams(form)
  return reply(await fetch(`${fake.url}/oauth/v2/token`, { method: 'POST', body }))
}

async function call(line: string, body?: unknown, as: string = token): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ')
  const at = `${fake.url}/v1/customers/${UBER_CLIENT.customerId}${path}`
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
  return reply(
    await fetch(at, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  )
}

async function control(name: string, body: unknown): Promise<Reply> {
  const reached = await fetch(`${fake.url}/_fake/${name}`, { method: 'POST', body: JSON.stringify(body) })
  assert.ok(reached.ok, `${name}: ${reached.status}`)
  return reply(reached)
}

const advance = (by: object) => control('advance', by)

async function create(changed: object = {}): Promise<Reply['json']> {
  const created = await call('POST /deliveries', { ...delivery, ...changed })
  assert.equal(created.status, 200, JSON.stringify(created.json))
  return created.json
}

test('a token is valid for its client, its scope and thirty days', async () => {
  const cases: [Record<string, string>, number, string][] = [
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ scope: 'eats.orders' }, 400, 'invalid_scope'],
    [{ scope: '' }, 400, 'invalid_request'],
  ]
  for (const [changed, status, error] of cases) {
    const refused = await signIn(changed)
    assert.deepEqual([refused.status, refused.json.error], [status, error])
  }
  const organizations = await signIn({ scope: 'direct.organizations' })
  for (const wrong of ['', 'KA.unknown', organizations.json.access_token]) {
    const refused = await call('GET /deliveries', undefined, wrong)
    assert.deepEqual(refused, {
      status: 401,
      json: { code: 'unauthorized', message: 'Invalid OAuth 2.0 credentials provided.' },
    })
  }
  const other = await fetch(`${fake.url}/v1/customers/cus_other/deliveries`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.deepEqual((await reply(other)).json.code, 'customer_not_found')

  const { access_token, expires_in, token_type, scope } = (await signIn()).json
  assert.deepEqual([expires_in, token_type, scope], [2_592_000, 'Bearer', 'eats.deliveries'])
  await advance({ days: 30 })
  assert.equal((await call('GET /deliveries', undefined, access_token)).status, 401)
  token = (await signIn()).json.access_token
})

test('issues 100 tokens an hour, in either form', async () => {
  const one = await startUberDirect({ nowMs: NOON_MS })
  const ask = async () => {
    const body = new FormData()
    body.set('client_id', UBER_CLIENT.clientId)
    body.set('client_secret', UBER_CLIENT.clientSecret)
    body.set('grant_type', 'client_credentials')
    body.set('scope', 'eats.deliveries')
    return (await fetch(`${one.url}/oauth/v2/token`, { method: 'POST', body })).status
  }
  for (let count = 0; count < 100; count += 1) assert.equal(await ask(), 200)
  assert.equal(await ask(), 429)
  one.clock.advance(3_600_000)
  assert.equal(await ask(), 200)
  await one.close()
})

test('a quote is valid for fifteen minutes, once, for the same trip', async () => {
  const quote = (await call('POST /delivery_quotes', where)).json
  assert.match(quote.id, /^dqt_[\w-]{22}$/)
  assert.deepEqual([quote.kind, quote.currency, quote.currency_type], ['delivery_quote', 'aud', 'AUD'])
  assert.equal(Date.parse(quote.expires) - Date.parse(quote.created), 15 * 60_000)
  assert.ok(Number.isInteger(quote.fee) && quote.fee > 0)

  const created = await create({ quote_id: quote.id, tip: 200 })
  assert.equal(created.id, quote.id.replace('dqt_', 'del_'))
  assert.equal(created.fee, quote.fee + 200, 'the fee includes the tip')

  const stale = (await call('POST /delivery_quotes', where)).json
  const otherTrip = { dropoff_address: '1 Swan St, Richmond, VIC 3121', quote_id: stale.id }
  const refused = async (changed: object) =>
    (await call('POST /deliveries', { ...delivery, ...changed })).json.code
  assert.equal(await refused({ quote_id: quote.id }), 'used_quote')
  assert.equal(await refused(otherTrip), 'mismatched_price_quote')
  assert.equal(await refused({ quote_id: 'dqt_none' }), 'invalid_params')
  await advance({ minutes: 15 })
  assert.equal(await refused({ quote_id: stale.id }), 'expired_quote')
})

test('a place or time that is not served has a code', async () => {
  const at = (minutes: number) => new Date(fake.clock.nowMs() + minutes * 60_000).toISOString()
  const cases: [object, string][] = [
    [{ dropoff_address: 'somewhere' }, 'unknown_location'],
    [
      {
        dropoff_address: '1 George St, Sydney, NSW 2000',
        dropoff_latitude: -33.8688,
        dropoff_longitude: 151,
      },
      'address_undeliverable',
    ],
    [{ pickup_ready_dt: at(-10) }, 'pickup_ready_too_early'],
    [{ pickup_ready_dt: at(31 * 1_440) }, 'pickup_ready_too_late'],
    [{ pickup_deadline_dt: at(10) }, 'pickup_deadline_too_early'],
    [{ pickup_ready_dt: at(30), pickup_deadline_dt: at(35) }, 'pickup_window_too_small'],
    [{ pickup_deadline_dt: at(30), dropoff_ready_dt: at(40) }, 'dropoff_ready_after_pickup_deadline'],
    [{ dropoff_ready_dt: at(40), dropoff_deadline_dt: at(50) }, 'dropoff_deadline_too_early'],
    [{ pickup_deadline_dt: at(60), dropoff_deadline_dt: at(50) }, 'dropoff_deadline_before_pickup_deadline'],
  ]
  for (const [changed, code] of cases) {
    const { status, json } = await call('POST /delivery_quotes', { ...where, ...changed })
    assert.deepEqual([status, json.code, json.kind], [400, code, 'error'])
  }
  for (const says of ['address_undeliverable_limited_couriers', 'couriers_busy']) {
    await control('couriers', { free: false, says })
    assert.equal((await call('POST /delivery_quotes', where)).json.code, says)
    assert.equal((await call('POST /deliveries', delivery)).json.code, says)
  }
})

test('names every invalid field', async () => {
  const { dropoff_name: _, ...nameless } = delivery
  const cases: [object, string, RegExp][] = [
    [nameless, 'dropoff_name', /required/],
    [{ ...delivery, dropoff_phone_number: '0491 570 156' }, 'dropoff_phone_number', /not valid/],
    [{ ...delivery, dropoff_notes: 'x'.repeat(281) }, 'dropoff_notes', /280/],
    [{ ...delivery, manifest_items: [] }, 'manifest_items', /./],
    [
      { ...delivery, manifest_items: [{ ...delivery.manifest_items[0], size: 'huge' }] },
      'manifest_items.0.size',
      /./,
    ],
  ]
  for (const [body, field, message] of cases) {
    const { status, json } = await call('POST /deliveries', body)
    assert.deepEqual([status, json.code], [400, 'invalid_params'])
    assert.match(json.metadata[field], message)
  }
  const leave = { deliverable_action: 'deliverable_action_leave_at_door' }
  const signature = { dropoff_verification: { signature_requirement: { enabled: true } } }
  assert.equal((await call('POST /deliveries', { ...delivery, ...leave, ...signature })).status, 400)
})

test('an idempotency key creates one delivery an hour, whatever the request', async () => {
  const created = await create({ idempotency_key: 'key-1' })
  const repeated = await call('POST /deliveries', { ...delivery, idempotency_key: 'key-1', tip: 100 })
  assert.equal(repeated.status, 409)
  assert.deepEqual(
    [repeated.json.code, repeated.json.metadata.delivery_id],
    ['duplicate_delivery', created.id],
  )
  await advance({ hours: 1 })
  assert.notEqual((await create({ idempotency_key: 'key-1' })).id, created.id)
  const written = fake.ledger.entries({ what: 'delivery_created' })
  assert.equal(written.filter(({ idempotency_key }) => idempotency_key === 'key-1').length, 2)
})

test('a carrier that forgets its keys creates another delivery', async () => {
  const created = await create({ idempotency_key: 'key-2' })
  await control('repeats', { repeats: 'made_again' })
  assert.notEqual((await create({ idempotency_key: 'key-2' })).id, created.id)
  await control('repeats', { repeats: 'refused' })
})

test('without a key, two active deliveries may not share both references', async () => {
  const references = { external_id: 'order-7', manifest_reference: 'M7' }
  const { id } = await create(references)
  assert.equal((await call('POST /deliveries', { ...delivery, ...references })).json.metadata.delivery_id, id)
  await create({ ...references, manifest_reference: 'M8' })
  await advance(ROBO_END)
  await create(references)
})

test('the clock moves a delivery, and a signed webhook reports each step', async (t) => {
  const receiver = await webhookReceiver(t)
  await control('webhooks', { url: receiver.url, signing_key: 'whole key' })
  const { id, status, courier } = await create({ external_id: 'order-9' })
  assert.deepEqual([status, courier], ['pending', undefined])
  await advance({ seconds: 61 })
  const seen = (await call(`GET /deliveries/${id}`)).json
  assert.deepEqual([seen.status, seen.courier_imminent, seen.complete], ['pickup', true, false])
  assert.equal(typeof seen.courier.location.lat, 'number')
  await advance(ROBO_END)
  const ended = (await call(`GET /deliveries/${id}`)).json
  assert.deepEqual([ended.status, ended.complete, ended.dropoff.status], ['delivered', true, 'completed'])

  const webhooks = receiver.received.filter(({ event }) => event.kind === 'event.delivery_status')
  assert.deepEqual(
    webhooks.map(({ event }) => [event.status, event.data.courier_imminent]),
    [
      ['pending', false],
      ['pickup', false],
      ['pickup', true],
      ['pickup_complete', false],
      ['dropoff', false],
      ['dropoff', true],
      ['delivered', false],
    ],
  )
  const positions = receiver.received.filter(({ event }) => event.kind === 'event.courier_update')
  assert.equal(positions.length, 8, 'each 20 seconds of 150')
  assert.notDeepEqual(positions[0]?.event.location, positions.at(-1)?.event.location)
  for (const { body, headers, event } of receiver.received) {
    const signature = createHmac('sha256', 'whole key').update(body).digest('hex')
    assert.equal(headers['x-uber-signature'], signature)
    assert.equal(event.data.external_id, 'order-9')
  }
  assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, receiver.received.length)
})

test('sends only the webhooks that are enabled', async (t) => {
  const receiver = await webhookReceiver(t)
  const kinds = ['event.delivery_status']
  await control('webhooks', { url: receiver.url, signing_key: 'k', kinds })
  await create()
  await advance(ROBO_END)
  assert.deepEqual([...new Set(receiver.received.map(({ event }) => event.kind))], kinds)
})

test('a rejected webhook is sent again unchanged', async (t) => {
  const receiver = await webhookReceiver(t, () => 500)
  await control('webhooks', { url: receiver.url, signing_key: 'k' })
  await create()
  await advance({ seconds: 1 })
  const before = receiver.received.length
  receiver.behave(() => 204)
  await advance({ seconds: 6 })
  const repeated = receiver.received.slice(before)
  assert.deepEqual(
    repeated.map(({ body }) => body),
    receiver.received.slice(0, before).map(({ body }) => body),
  )
})

test('webhooks are lost, duplicated and reordered on demand', async (t) => {
  const receiver = await webhookReceiver(t)
  await control('webhooks', { url: receiver.url, signing_key: 'k' })
  await control('webhook-troubles', { lost_every: 3, repeated_every: 4, overtaken_every: 5 })
  await create()
  await advance(ROBO_END)
  await control('webhook-troubles', {})
  const ids = receiver.received.map(({ event }) => event.id)
  assert.ok(new Set(ids).size < ids.length, 'some came twice')
  const times = receiver.received.map(({ event }) => event.created)
  assert.notDeepEqual(times, times.toSorted(), 'some came late')
  assert.ok(new Set(ids).size < 15, 'some of the fifteen never came')
})

test('required proof of delivery is given, with a PIN and pictures', async () => {
  const { id, dropoff } = await create({
    dropoff_verification: {
      signature_requirement: { enabled: true, collect_signer_name: true },
      pincode: { enabled: true },
      identification: { min_age: 18 },
      picture: true,
    },
  })
  const pin = dropoff.verification_requirements.pincode.value
  assert.match(pin, /^\d{4}$/)
  const proof = { waypoint: 'dropoff', type: 'signature' }
  assert.equal((await call(`POST /deliveries/${id}/proof-of-delivery`, proof)).status, 404)
  await advance(ROBO_END)
  const { verification } = (await call(`GET /deliveries/${id}`)).json.dropoff
  assert.equal(verification.pin_code.entered, pin)
  assert.equal(verification.signature.name, 'Ada Customer')
  assert.equal(verification.identification.min_age_verified, true)
  const { document } = (await call(`POST /deliveries/${id}/proof-of-delivery`, proof)).json
  const linked = Buffer.from(await (await fetch(verification.signature.image_url)).arrayBuffer())
  for (const png of [Buffer.from(document, 'base64'), linked]) {
    assert.equal(png.subarray(1, 4).toString(), 'PNG')
  }
})

test('a delivery left at the door has a photo', async () => {
  const { id } = await create({ deliverable_action: 'deliverable_action_leave_at_door' })
  await advance(ROBO_END)
  assert.ok((await call(`GET /deliveries/${id}`)).json.dropoff.verification.picture.image_url)
})

test('an undeliverable delivery returns as a separate delivery', async () => {
  const { id } = await create({ external_id: 'order-back' })
  await control('fates', { reference: 'order-back', fate: 'undeliverable' })
  await advance(ROBO_END)
  const original = (await call(`GET /deliveries/${id}`)).json
  assert.deepEqual([original.status, original.undeliverable_action], ['returned', 'returned'])
  const [{ id: backId, relationship }] = original.related_deliveries
  assert.deepEqual([backId, relationship], [id.replace('del_', 'ret_'), 'return'])
  await advance(ROBO_END)
  const back = (await call(`GET /deliveries/${backId}`)).json
  assert.deepEqual([back.status, back.related_deliveries[0].id], ['delivered', id])
  assert.equal(back.dropoff.address, original.pickup.address)
})

test('a delivery can be cancelled until the courier has collected it', async () => {
  const { id } = await create()
  const cancelled = await call(`POST /deliveries/${id}/cancel`)
  assert.deepEqual(
    [cancelled.status, cancelled.json.status, cancelled.json.complete],
    [200, 'canceled', true],
  )
  assert.equal((await call(`POST /deliveries/${id}/cancel`)).json.code, 'noncancelable_delivery')
  await advance(ROBO_END)
  assert.equal((await call(`GET /deliveries/${id}`)).json.status, 'canceled', 'nobody moves it any more')

  const collected = (await create()).id
  await advance({ seconds: 95 })
  assert.equal((await call(`POST /deliveries/${collected}/cancel`)).json.code, 'noncancelable_delivery')
  assert.equal((await call('POST /deliveries/del_none/cancel')).json.code, 'delivery_not_found')
})

test('only the webhook has the cancellation reason', async (t) => {
  const receiver = await webhookReceiver(t)
  await control('webhooks', { url: receiver.url, signing_key: 'k' })
  const { id } = await create()
  const { json } = await call(`POST /deliveries/${id}/cancel`)
  await advance({ seconds: 1 })
  const webhooks = receiver.received.find(({ event }) => event.status === 'canceled')
  assert.equal(webhooks?.event.data.cancelation_reason.primary_reason, 'CUSTOMER_CANCEL')
  const [asked, listed] = [await call(`GET /deliveries/${id}`), await call('GET /deliveries?filter=canceled')]
  for (const body of [json, asked.json, listed.json.data[0]]) {
    assert.deepEqual([body.status, body.cancelation_reason], ['canceled', undefined])
  }
})

test('fields can be changed until they no longer matter', async () => {
  const { id } = await create()
  const update = (body: object) => call(`POST /deliveries/${id}`, body)
  assert.equal((await update({ pickup_notes: 'At the back' })).json.pickup.notes, 'At the back')
  await advance({ seconds: 70 })
  assert.equal((await update({ pickup_notes: 'At the front' })).json.code, 'invalid_params')
  assert.equal((await update({ dropoff_notes: 'Red door' })).json.dropoff.notes, 'Red door')
  assert.equal((await update({ tip_by_customer: 300 })).json.tip, 300)
  assert.equal((await update({ tip_by_customer: 300 })).json.code, 'tip_already_recorded_error')
})

test('deliveries are listed by status, page by page', async () => {
  const created = [(await create()).id, (await create()).id, (await create()).id]
  const first = (await call('GET /deliveries?filter=ongoing&limit=2')).json
  assert.deepEqual(
    first.data.map(({ id }: { id: string }) => id),
    [created[2], created[1]],
  )
  assert.deepEqual([first.object, first.total_count], ['list', -1])
  const next = await fetch(first.next_href, { headers: { authorization: `Bearer ${token}` } })
  assert.equal((await reply(next)).json.data[0].id, created[0])
  assert.equal((await call('GET /deliveries?filter=gone')).json.code, 'invalid_params')
})

test('a refund sends a webhook', async (t) => {
  const receiver = await webhookReceiver(t)
  const { id, fee } = await create()
  await control('webhooks', { url: receiver.url, signing_key: 'k' })
  await control('refunds', { delivery_id: id })
  const webhooks = receiver.received.find(({ event }) => event.kind === 'event.refund_request')
  assert.deepEqual([webhooks?.event.delivery_id, webhooks?.event.data.total_uber_refund], [id, fee])
})

test('a delivery with a lost response is found by its key', async () => {
  fake.faults.add({ operation: 'create_delivery', kind: 'lost' })
  const asked = { ...delivery, idempotency_key: 'lost-1', external_id: 'order-lost' }
  await assert.rejects(call('POST /deliveries', asked))
  const repeated = await call('POST /deliveries', asked)
  assert.equal(repeated.json.code, 'duplicate_delivery')
  assert.equal(
    (await call(`GET /deliveries/${repeated.json.metadata.delivery_id}`)).json.external_id,
    'order-lost',
  )

  fake.faults.add({ operation: 'get_delivery', kind: 'status', status: 429 })
  assert.equal((await call('GET /deliveries/del_x')).json.code, 'customer_limited')
})

test('with the repeats option a duplicate create returns the existing delivery', async () => {
  const one = await startUberDirect({ nowMs: NOON_MS, repeats: 'replayed' })
  const form = new URLSearchParams({
    client_id: UBER_CLIENT.clientId,
    client_secret: UBER_CLIENT.clientSecret,
    grant_type: 'client_credentials',
    scope: 'eats.deliveries',
  })
  const signed = await fetch(`${one.url}/oauth/v2/token`, { method: 'POST', body: form })
  const authorization = `Bearer ${(await reply(signed)).json.access_token}`
  const ask = async () => {
    const url = `${one.url}/v1/customers/${UBER_CLIENT.customerId}/deliveries`
    const body = JSON.stringify({ ...delivery, idempotency_key: 'k' })
    return reply(await fetch(url, { method: 'POST', headers: { authorization }, body }))
  }
  assert.equal((await ask()).json.id, (await ask()).json.id)
  await one.close()
})
