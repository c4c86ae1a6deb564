import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test, { after, before, beforeEach } from 'node:test'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import type { RunningFake } from '../fake.ts'
import { listen } from '../listen.ts'
import { DOORDASH_KEY, startDoorDash } from './start-doordash.ts'

const NOON_MS = Date.parse('2026-11-24T01:00:00Z')
const THE_DAY = { minutes: 40 }

// biome-ignore lint/suspicious/noExplicitAny: a test reads any answer.
type Reply = { status: number; json: any }

let fake: RunningFake
let count = 0
before(async () => {
  fake = await startDoorDash({ nowMs: NOON_MS, requestsAMinute: null })
})
after(() => fake.close())
beforeEach(async () => {
  await control('couriers', { free: true })
  await fetch(`${fake.url}/_fake/webhooks`, { method: 'DELETE' })
  await advance({ hours: 1 })
})

function delivery(changed: object = {}) {
  count += 1
  return {
    external_delivery_id: `D-${count}`,
    pickup_address: '200 Bourke St, Melbourne, VIC 3000',
    pickup_business_name: 'Melbourne CBD',
    pickup_phone_number: '+61391234567',
    dropoff_address: '12 Rathdowne St, Carlton, VIC 3053',
    dropoff_phone_number: '+61491570156',
    dropoff_contact_given_name: 'Ada',
    order_value: 4_500,
    items: [{ name: 'Box', quantity: 2, external_id: 'p1' }],
    ...changed,
  }
}

type Token = { header?: object; claims?: object; secret?: string }

/** A good token, or one with something changed. */
function jwt({ header = {}, claims = {}, secret = DOORDASH_KEY.signingSecret }: Token = {}): string {
  const seconds = Math.floor(Date.now() / 1_000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = [
    part({ alg: 'HS256', typ: 'JWT', 'dd-ver': 'DD-JWT-V1', ...header }),
    part({
      aud: 'doordash',
      iss: DOORDASH_KEY.developerId,
      kid: DOORDASH_KEY.keyId,
      iat: seconds,
      exp: seconds + 300,
      ...claims,
    }),
  ].join('.')
  const key = Buffer.from(secret, 'base64url')
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

async function call(line: string, body?: unknown, token = jwt(), url = fake.url): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(`${url}/drive/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}

async function control(name: string, body: unknown): Promise<void> {
  const reached = await fetch(`${fake.url}/_fake/${name}`, { method: 'POST', body: JSON.stringify(body) })
  assert.ok(reached.ok, `${name}: ${await reached.text()}`)
}

const advance = (by: object) => control('advance', by)

async function create(changed: object = {}): Promise<Reply['json']> {
  const created = await call('POST /deliveries', delivery(changed))
  assert.equal(created.status, 200, JSON.stringify(created.json))
  return created.json
}

const read = async (id: string) => (await call(`GET /deliveries/${id}`)).json

test('accepts only a token of the key for DoorDash, valid for at most 30 minutes', async () => {
  assert.equal((await call('GET /deliveries/none')).status, 404, 'a good one')
  const seconds = Math.floor(Date.now() / 1_000)
  const cases: [string, Token, RegExp][] = [
    ['another secret', { secret: 'b3RoZXI' }, /signature/],
    ['another version', { header: { 'dd-ver': 'DD-JWT-V2' } }, /dd-ver/],
    ['no algorithm', { header: { alg: 'none' } }, /alg/],
    ['another audience', { claims: { aud: 'uber' } }, /aud/],
    ['another developer', { claims: { iss: 'x' } }, /iss/],
    ['another key', { claims: { kid: 'x' } }, /kid/],
    ['expired', { claims: { iat: seconds - 300, exp: seconds - 1 } }, /JWT is expired/],
    ['for too long', { claims: { exp: seconds + 1_900 } }, /30 minutes/],
    ['from the future', { claims: { iat: seconds + 600, exp: seconds + 900 } }, /iat/],
  ]
  for (const [name, changed, message] of cases) {
    const { status, json } = await call('GET /deliveries/none', undefined, jwt(changed))
    assert.deepEqual([status, json.code], [401, 'authentication_error'], name)
    assert.match(json.message, message, name)
  }
  assert.equal((await call('GET /deliveries/none', undefined, 'a.b')).status, 401)
})

test('accepts 300 requests a minute', async () => {
  let wallMs = Date.now()
  const one = await startDoorDash({ nowMs: NOON_MS, wallMs: () => wallMs })
  const token = jwt()
  const statuses = await Promise.all(
    Array.from(
      { length: 301 },
      async () => (await call('GET /deliveries/x', undefined, token, one.url)).status,
    ),
  )
  assert.deepEqual(
    [404, 429].map((status) => statuses.filter((seen) => seen === status).length),
    [300, 1],
  )
  wallMs += 60_001
  assert.equal((await call('GET /deliveries/x', undefined, token, one.url)).status, 404)
  await one.close()
})

test('a quote is accepted within five minutes, once', async () => {
  const asked = delivery()
  const quote = (await call('POST /quotes', asked)).json
  assert.deepEqual([quote.delivery_status, quote.currency], ['quote', 'AUD'])
  assert.ok(Number.isInteger(quote.fee) && quote.fee > 0)
  const accept = `POST /quotes/${asked.external_delivery_id}/accept`
  const accepted = await call(accept, { tip: 300 })
  assert.deepEqual(
    [accepted.json.delivery_status, accepted.json.fee, accepted.json.tip],
    ['created', quote.fee, 300],
  )
  assert.deepEqual(
    [(await call(accept)).status, (await call(accept)).json.code],
    [409, 'duplicate_delivery_id'],
  )
  assert.equal((await call('POST /quotes/none/accept')).json.code, 'unknown_delivery_id')

  const stale = delivery()
  await call('POST /quotes', stale)
  await advance({ minutes: 5 })
  const late = await call(`POST /quotes/${stale.external_delivery_id}/accept`)
  assert.deepEqual([late.status, late.json.code], [400, 'validation_error'])
})

test('an id used by a quote or a delivery is rejected', async () => {
  const asked = delivery()
  await call('POST /quotes', asked)
  for (const path of ['/quotes', '/deliveries']) {
    const { status, json } = await call(`POST ${path}`, asked)
    assert.equal(status, 409)
    assert.deepEqual(json, {
      code: 'duplicate_delivery_id',
      message: 'Duplicate External Delivery ID',
      external_delivery_id: asked.external_delivery_id,
    })
  }
  const created = fake.ledger.entries({ what: 'delivery_created' })
  assert.ok(!created.some(({ external_delivery_id }) => external_delivery_id === asked.external_delivery_id))
})

test('with the repeats option the same create returns the existing delivery, and another is rejected', async () => {
  const one = await startDoorDash({ nowMs: NOON_MS, repeats: 'replayed' })
  const asked = delivery()
  const statuses = []
  for (const body of [asked, asked, { ...asked, tip: 1 }]) {
    statuses.push((await call('POST /deliveries', body, jwt(), one.url)).status)
  }
  assert.deepEqual(statuses, [200, 200, 409])
  assert.equal(one.ledger.entries({ what: 'delivery_created' }).length, 1)
  await one.close()
})

test('names every invalid field', async () => {
  const cases: [object, string][] = [
    [{ dropoff_phone_number: undefined }, 'dropoff_phone_number'],
    [{ dropoff_phone_number: '0491 570 156' }, 'dropoff_phone_number'],
    [{ external_delivery_id: 'a b' }, 'external_delivery_id'],
    [{ order_value: -1 }, 'order_value'],
    [{ items: [{ name: 'Box', quantity: 101 }] }, 'items.0.quantity'],
    [{ dropoff_address: 'somewhere' }, 'dropoff_address'],
    [{ pickup_address: undefined }, 'pickup_address'],
    [{ order_contains: { alcohol: true } }, 'dropoff_options.id_verification'],
    [{ dropoff_options: { proof_of_delivery: 'pin_code' } }, 'dropoff_pin_code_verification_metadata'],
  ]
  for (const [changed, field] of cases) {
    const { status, json } = await call('POST /deliveries', delivery(changed))
    assert.deepEqual([status, json.code], [400, 'validation_error'], field)
    assert.deepEqual(
      json.field_errors.map((one: { field: string }) => one.field),
      [field],
    )
  }
})

test('a place or time that is not served has a reason', async () => {
  const at = (minutes: number) => new Date(fake.clock.nowMs() + minutes * 60_000).toISOString()
  const cases: [object, string][] = [
    [{ dropoff_address: '1 George St, Sydney, NSW 2000' }, 'distance_too_long'],
    [{ dropoff_address: '1 Smith St, Darwin, NT 0800' }, 'delivery_address_not_in_coverage'],
    [{ pickup_address: '1 Elizabeth St, Hobart, TAS 7000' }, 'pickup_address_not_in_coverage'],
    [{ pickup_time: at(-10) }, 'outside_of_delivery_time'],
  ]
  for (const [changed, reason] of cases) {
    const { status, json } = await call('POST /quotes', delivery(changed))
    assert.deepEqual([status, json.code, json.reason], [422, 'invalid_delivery_parameters', reason])
    const { json: message } = await call('POST /serviceability', delivery(changed))
    assert.deepEqual(message, { is_serviceable: false, reasons_not_serviceable: [reason] })
  }
  assert.deepEqual((await call('POST /serviceability', delivery())).json, { is_serviceable: true })
})

test('the clock moves a delivery, and an authenticated webhook reports each step', async (t) => {
  const receiver = await webhookReceiver(t, () => 200)
  const auth = { basic: { username: 'drover', password: 'whole: secret' } }
  await control('webhooks', { url: receiver.url, auth })
  const { external_delivery_id: id } = await create({
    contactless_dropoff: true,
    dropoff_options: { signature: 'required' },
  })
  await advance({ minutes: 3 })
  const underWay = await read(id)
  assert.equal(underWay.delivery_status, 'enroute_to_pickup')
  assert.equal(typeof underWay.dasher_location.lat, 'number')
  await advance(THE_DAY)
  const over = await read(id)
  assert.equal(over.delivery_status, 'delivered')
  for (const url of [over.dropoff_verification_image_url, over.dropoff_signature_image_url]) {
    const png = Buffer.from(await (await fetch(url)).arrayBuffer())
    assert.equal(png.subarray(1, 4).toString(), 'PNG')
  }
  assert.deepEqual(
    receiver.received.map(({ event }) => event.event_name),
    [
      'DASHER_CONFIRMED',
      'DASHER_CONFIRMED_PICKUP_ARRIVAL',
      'DASHER_PICKED_UP',
      'DASHER_CONFIRMED_DROPOFF_ARRIVAL',
      'DASHER_DROPPED_OFF',
    ],
  )
  const password = `Basic ${Buffer.from('drover:whole: secret').toString('base64')}`
  for (const { event, headers } of receiver.received) {
    assert.equal(headers.authorization, password)
    assert.equal(event.external_delivery_id, id)
    assert.ok(!Object.values(event).includes(null), 'what is not known is left out')
  }
})

test('location updates are sent to accounts that enabled them', async (t) => {
  const receiver = await webhookReceiver(t, () => 200)
  await control('webhooks', { url: receiver.url, tracking: true, auth: { header: 'Bearer static' } })
  await create()
  await advance({ minutes: 3 })
  const positions = receiver.received.filter(({ event }) => event.event_name === 'dasher_enroute_to_pickup')
  assert.ok(positions.length > 2)
  assert.notDeepEqual(positions[0]?.event.dasher_location, positions.at(-1)?.event.dasher_location)
  assert.equal(positions[0]?.headers.authorization, 'Bearer static')
})

test('with OAuth the webhook sender fetches a token once and sends it', async (t) => {
  const receiver = await webhookReceiver(t, () => 200)
  const asked: string[] = []
  const issuer = await listen(0, async ({ body }) => {
    asked.push(body.toString())
    return { status: 200, body: { access_token: 'granted', expires_in: 3_600 } }
  })
  t.after(() => issuer.close())
  const oauth = { token_url: issuer.url, client_id: 'drover', client_secret: 's' }
  await control('webhooks', { url: receiver.url, auth: { oauth } })
  await create()
  await advance(THE_DAY)
  assert.equal(receiver.received.length, 5)
  assert.ok(receiver.received.every(({ headers }) => headers.authorization === 'Bearer granted'))
  assert.deepEqual(asked, ['grant_type=client_credentials&client_id=drover&client_secret=s'])
})

test('a webhook is sent at most three times, until a 200', async (t) => {
  const receiver = await webhookReceiver(t, () => 204)
  await control('webhooks', { url: receiver.url })
  await create()
  await advance({ minutes: 1 })
  const [{ body } = { body: '' }] = receiver.received
  for (let minute = 0; minute < 4; minute += 1) await advance({ minutes: 1 })
  assert.equal(receiver.received.filter((one) => one.body === body).length, 3)
})

test('an undeliverable delivery is returned, disposed of or left, as requested', async (t) => {
  const receiver = await webhookReceiver(t, () => 200)
  await control('webhooks', { url: receiver.url })
  const ends: [string | undefined, string, string | undefined][] = [
    ['return_to_pickup', 'returned', undefined],
    ['dispose', 'cancelled', 'failed_to_deliver'],
    [undefined, 'delivered', undefined],
  ]
  for (const [action_if_undeliverable, status, reason] of ends) {
    const { external_delivery_id: id } = await create({ action_if_undeliverable })
    await control('fates', { reference: id, fate: 'undeliverable' })
    await advance(THE_DAY)
    const over = await read(id)
    assert.deepEqual([over.delivery_status, over.cancellation_reason], [status, reason])
  }
  const names = receiver.received.map(({ event }) => event.event_name)
  assert.deepEqual(
    names.filter((name) => name.includes('RETURN')),
    ['DELIVERY_RETURN_INITIALIZED', 'DASHER_CONFIRMED_RETURN_ARRIVAL', 'DELIVERY_RETURNED'],
  )
  const cancelled = receiver.received.find(({ event }) => event.event_name === 'DELIVERY_CANCELLED')
  assert.equal(cancelled?.event.reason, 'failed_to_deliver')
})

test('without a Dasher a delivery is cancelled after a while, or waits', async () => {
  await control('couriers', { free: false })
  const { external_delivery_id: given } = await create()
  await advance({ minutes: 22 })
  assert.equal((await read(given)).cancellation_reason, 'failed_to_assign_and_refunded')

  const { external_delivery_id: waiting } = await create()
  await advance({ minutes: 5 })
  assert.equal((await read(waiting)).delivery_status, 'created')
  await control('couriers', { free: true })
  await advance({ minutes: 2 })
  assert.equal((await read(waiting)).delivery_status, 'enroute_to_pickup')
})

test('a delivery can be cancelled until a Dasher is assigned; later the reason is given', async () => {
  const { external_delivery_id: id } = await create()
  const cancelled = await call(`PUT /deliveries/${id}/cancel`)
  assert.deepEqual(
    [cancelled.status, cancelled.json.delivery_status, cancelled.json.cancellation_reason],
    [200, 'cancelled', 'cancelled_by_creator'],
  )
  const reasonOf = async (name: string) => (await call(`PUT /deliveries/${name}/cancel`)).json.reason
  assert.equal(await reasonOf(id), 'delivery_cancelled')

  const { external_delivery_id: other } = await create()
  await advance({ minutes: 2 })
  assert.equal(await reasonOf(other), 'cancellation_window_closed')
  await advance({ minutes: 7 })
  const late = await call(`PUT /deliveries/${other}/cancel`)
  assert.deepEqual(
    [late.status, late.json.code, late.json.reason],
    [409, 'cancel_not_allowed', 'delivery_picked_up'],
  )
  const cold = { reason_code: 'cold_chain', should_create_return_delivery: true }
  const back = await call(`PUT /deliveries/${other}/cancel`, cold)
  assert.equal(back.json.delivery_status, 'enroute_to_return')
  await advance(THE_DAY)
  assert.equal((await read(other)).delivery_status, 'returned')
})

test('a delivery can be changed until the Dasher has collected it', async () => {
  const { external_delivery_id: id } = await create()
  const change = (body: object) => call(`PATCH /deliveries/${id}`, body)
  assert.equal((await change({ dropoff_instructions: 'Red door' })).json.dropoff_instructions, 'Red door')
  assert.equal(
    (await change({ dropoff_address: '1 Mall St, Perth, WA 6000' })).json.reason,
    'distance_too_long',
  )
  await advance({ minutes: 9 })
  const late = await change({ tip: 100 })
  assert.deepEqual([late.status, late.json.reason], [409, 'delivery_picked_up'])
})

test('a scheduled delivery waits for its time or its two windows', async () => {
  const inHours = (hours: number) => new Date(fake.clock.nowMs() + hours * 3_600_000).toISOString()
  const pickup = inHours(3)
  const [early, late] = [inHours(1), inHours(5)]
  const windows = {
    pickup_time: early,
    pickup_window: { start_time: pickup, end_time: inHours(4) },
    dropoff_window: { start_time: inHours(4), end_time: late },
  }
  const created = [await create({ pickup_time: pickup }), await create(windows)]
  for (const { pickup_time_estimated } of created) assert.equal(pickup_time_estimated, pickup)
  for (const status of ['created', 'delivered']) {
    await advance({ hours: 2 })
    for (const { external_delivery_id: id } of created) assert.equal((await read(id)).delivery_status, status)
  }
})

test('a delivery with a lost response is found by its id', async () => {
  fake.faults.add({ operation: 'create_delivery', kind: 'lost' })
  const asked = delivery()
  await assert.rejects(call('POST /deliveries', asked))
  assert.equal((await read(asked.external_delivery_id)).delivery_status, 'created')
  assert.equal((await call('POST /deliveries', asked)).status, 409)
  fake.faults.add({ operation: 'get_delivery', kind: 'status', status: 500 })
  assert.equal((await read(asked.external_delivery_id)).code, 'service_fault')
})
