import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Door, deliveryBody, type Reply, testDoor } from '../../test/door.ts'
import { control } from '../../test/live-carriers.ts'
import { TUESDAY_TEN_MS } from '../../test/world.ts'
import { DOORDASH_KEY, startDoorDash } from '../fakes/doordash/start-doordash.ts'
import type { RunningFake } from '../fakes/fake.ts'
import { startUberDirect, UBER_CLIENT } from '../fakes/uber-direct/start-uber-direct.ts'
import { forgetOldPositions } from '../store/courier-positions.ts'

const BASIC = { username: 'doordash', password: 'a long password' }
const OAUTH = { client_id: 'doordash', client_secret: 'a long secret of the client' }
const SECRETS = {
  'uber-customer': UBER_CLIENT.customerId,
  'uber-id': UBER_CLIENT.clientId,
  'uber-secret': UBER_CLIENT.clientSecret,
  'uber-signing': 'the signing key of the webhook',
  'dd-developer': DOORDASH_KEY.developerId,
  'dd-key': DOORDASH_KEY.keyId,
  'dd-secret': DOORDASH_KEY.signingSecret,
  'dd-webhook': `Basic ${Buffer.from(`${BASIC.username}:${BASIC.password}`).toString('base64')}`,
  'dd-oauth-id': OAUTH.client_id,
  'dd-oauth-secret': OAUTH.client_secret,
}

function carrier(provider: string, baseUrl: string, credentials: Record<string, string>, cents: number) {
  return {
    provider,
    name: provider,
    base_url: baseUrl,
    credentials: Object.fromEntries(Object.entries(credentials).map(([name, secret]) => [name, { secret }])),
    services: [
      {
        service: 'NOW',
        carrier_code: 'NOW',
        delivery_type: 'fast',
        timing: { after_pickup: { lead_minutes: 20, window_minutes: 90, hours: '08:00-22:00' } },
        price: { base_cents: cents },
      },
    ],
  }
}

/** The demo account with both networks before its own carriers, and both reporting to us. */
async function networks(t: Parameters<typeof testDoor>[0]) {
  const [uber, dash, door] = await Promise.all([
    startUberDirect({ nowMs: TUESDAY_TEN_MS }),
    startDoorDash({ nowMs: TUESDAY_TEN_MS }),
    testDoor(t),
  ])
  t.after(() => Promise.all([uber.close(), dash.close()]))
  for (const [name, secret] of Object.entries(SECRETS)) {
    const kept = await door.operator(`PUT /admin/accounts/demo/secrets/${name}`, { body: { secret } })
    assert.equal(kept.status, 204, kept.text)
  }
  const { json: document } = await door.operator('GET /admin/accounts/demo')
  const carriers = [
    carrier(
      'uber_direct',
      uber.url,
      {
        ...{ customer_id: 'uber-customer', client_id: 'uber-id', client_secret: 'uber-secret' },
        webhook_signing_key: 'uber-signing',
      },
      100,
    ),
    carrier(
      'doordash',
      dash.url,
      {
        ...{ developer_id: 'dd-developer', key_id: 'dd-key', signing_secret: 'dd-secret' },
        webhook_authorization: 'dd-webhook',
        ...{ webhook_client_id: 'dd-oauth-id', webhook_client_secret: 'dd-oauth-secret' },
      },
      200,
    ),
    ...document.carriers,
  ]
  const applied = await door.operator('PUT /admin/accounts/demo', { body: { ...document, carriers } })
  assert.ok(applied.status < 300, applied.text)

  await door.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = door.app.server.address() as AddressInfo
  const ours = (provider: string) => `http://127.0.0.1:${port}/carriers/${provider}/demo/webhooks`
  const signing_key = SECRETS['uber-signing']
  await control(uber, '/_fake/webhooks', { url: ours('uber_direct'), signing_key })
  await control(dash, '/_fake/webhooks', { url: ours('doordash'), tracking: true, auth: { basic: BASIC } })
  return { door, uber, dash, ours }
}

async function create(door: Door, over: object = {}): Promise<Reply['json']> {
  const body = deliveryBody({
    ...{ delivery_type: 'fast', book_delivery_now: true },
    ...{ ready_for_pickup_at: '2026-11-24T10:30:00+11:00', authority_to_leave: true },
    ...over,
  })
  const { status, json, text } = await door.call('POST /demo/deliveries', { body })
  assert.equal(status, 201, text)
  return json.data
}

async function get(door: Door, id: string): Promise<Reply['json']> {
  return (await door.call(`GET /demo/deliveries/${id}`)).json.data
}

async function until(
  door: Door,
  id: string,
  ok: (delivery: Reply['json']) => boolean | Promise<boolean>,
): Promise<Reply['json']> {
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; ) {
    const delivery = await get(door, id)
    if (await ok(delivery)) return delivery
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail(JSON.stringify(await get(door, id)))
}

/** Both clocks go on, and what the network tells meanwhile has been told. */
async function advance({ world }: Door, fake: RunningFake, minutes: number): Promise<void> {
  await world.setClock(fake.clock.nowMs() + minutes * 60_000)
  await control(fake, '/_fake/advance', { minutes })
}

function made(fake: RunningFake): number {
  return fake.ledger.entries({ what: 'delivery_created' }).length
}

test('a delivery goes by Uber Direct from the booking to the door, and its customer sees the courier', async (t) => {
  const { door, uber } = await networks(t)
  const booked = await create(door)
  assert.deepEqual([booked.status, booked.carrier_provider], ['booked', 'uber_direct'])
  assert.match(booked.consignment_number, /^del_/)
  assert.match(booked.parcels[0].article_id, /^UD/)

  await advance(door, uber, 46)
  for (let step = 0; step < 12 && (await get(door, booked.id)).status !== 'collected'; step += 1) {
    await advance(door, uber, 0.5)
  }
  const path = new URL(booked.tracking_url).pathname
  const seen = await door.call(`GET ${path}`, { token: null, headers: { accept: 'application/json' } })
  assert.equal(seen.json.data.status, 'collected', seen.text)
  assert.ok(seen.json.data.courier.first_name, seen.text)
  assert.ok(seen.json.data.courier.position, seen.text)

  await advance(door, uber, 30)
  assert.equal((await get(door, booked.id)).status, 'delivered')
  assert.equal(made(uber), 1)
  assert.deepEqual(
    [await forgetOldPositions(door.world.deps.db), await forgetOldPositions(door.world.deps.db)],
    [1, 0],
  )
})

test('an answer that never came is one booking: by the key while it lives, by search once it is forgotten', async (t) => {
  const { door, uber } = await networks(t)
  uber.faults.add({ operation: 'create_delivery', kind: 'lost' })
  const { id } = await create(door)
  assert.equal((await until(door, id, ({ status }) => status === 'booked')).carrier_provider, 'uber_direct')
  assert.equal(made(uber), 1)

  uber.faults.add({ operation: 'create_delivery', kind: 'lost', times: null })
  const other = await create(door)
  assert.equal((await get(door, other.id)).status, 'requested')
  await door.world.deps.db.query(`update booking_intents set asked_at = asked_at - interval '2 hours'`)
  uber.clock.advance(2 * 3_600_000)
  await door.call(`PATCH /demo/deliveries/${other.id}/book`)
  const found = await until(door, other.id, ({ status }) => status === 'booked')
  assert.equal(found.carrier_provider, 'uber_direct')
  assert.equal(made(uber), 2)
})

test('without a courier at one network the next one has it', async (t) => {
  const { door, uber, dash } = await networks(t)
  await control(uber, '/_fake/couriers', { free: false })
  const booked = await create(door)
  assert.deepEqual([booked.status, booked.carrier_provider], ['booked', 'doordash'])
  assert.deepEqual([made(uber), made(dash)], [0, 1])

  await advance(door, dash, 180)
  assert.equal((await get(door, booked.id)).status, 'delivered')
})

for (const network of ['uber_direct', 'doordash'] as const) {
  test(`what ${network} cannot deliver comes back, as the same delivery`, async (t) => {
    const { door, uber, dash } = await networks(t)
    const fake = network === 'uber_direct' ? uber : dash
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    await control(fake, '/_fake/fates', { reference: '*', fate: 'undeliverable' })
    const { id } = await create(door, { authority_to_leave: false })
    await advance(door, fake, 240)
    const back = await get(door, id)
    assert.deepEqual([back.status, back.carrier_provider], ['returned', network])
    const { json } = await door.call(`GET /demo/deliveries/${id}/events`)
    const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
    assert.deepEqual(moves.slice(-3), ['collected', 'pending_return', 'returned'])
  })

  test(`${network} lets a booking go while nobody has collected it`, async (t) => {
    const { door, uber } = await networks(t)
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    const { id } = await create(door)
    const { json } = await door.call(`PATCH /demo/deliveries/${id}/request-cancel`)
    assert.equal(json.data?.status, 'cancelled', JSON.stringify(json))
  })
}

test('what a courier gives up before he has it goes to the next network by itself', async (t) => {
  const { door, uber, dash } = await networks(t)
  await control(uber, '/_fake/fates', { reference: '*', fate: 'courier_cancels' })
  const { id } = await create(door, { ready_for_pickup_at: '2026-11-24T11:00:00+11:00' })
  await advance(door, uber, 90)
  dash.clock.advance(90 * 60_000)
  const other = await until(door, id, ({ carrier_provider }) => carrier_provider === 'doordash')
  assert.equal(other.status, 'booked')
  assert.deepEqual([made(uber), made(dash)], [1, 1])
  const { json } = await door.call(`GET /demo/deliveries/${id}/events`)
  const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
  assert.deepEqual(moves.slice(-3), ['reassigned', 'requested', 'booked'])
})

test('DoorDash reports by OAuth as well', async (t) => {
  const { door, uber, dash, ours } = await networks(t)
  const token_url = ours('doordash').replace(/webhooks$/, 'token')
  await control(dash, '/_fake/webhooks', { url: ours('doordash'), auth: { oauth: { token_url, ...OAUTH } } })
  await control(uber, '/_fake/couriers', { free: false })
  const { id } = await create(door)
  await control(dash, '/_fake/advance', { minutes: 40 })
  const { json } = await door.call(`GET /demo/deliveries/${id}/events`)
  const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
  assert.ok(moves.includes('assigned'), JSON.stringify(json.data))

  const stranger = await door.call(`POST ${new URL(token_url).pathname}`, {
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials&client_id=doordash&client_secret=guess',
  })
  assert.equal(stranger.status, 401)
})

test('news that was lost on its way is asked for, and known news is none', async (t) => {
  const { door, uber, dash } = await networks(t)
  for (const fake of [uber, dash]) await control(fake, '/_fake/webhook-troubles', { lost_every: 1 })
  const byUber = await create(door)
  await control(uber, '/_fake/couriers', { free: false })
  const byDash = await create(door)
  assert.equal(byDash.carrier_provider, 'doordash')
  await control(uber, '/_fake/advance', { minutes: 240 })
  await control(dash, '/_fake/advance', { minutes: 240 })
  await door.world.setClock(TUESDAY_TEN_MS + 240 * 60_000)
  for (const { id } of [byUber, byDash]) {
    await until(door, id, ({ status }) => status === 'delivered')
    const { json } = await door.call(`GET /demo/deliveries/${id}/events`)
    const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
    assert.deepEqual(moves, ['created', 'requested', 'booked', 'collected', 'delivered'])
    await until(door, id, ({ proof_url }) => proof_url !== undefined)
  }
})

test('what a courier brings from the door is fetched and kept, late as it may come, and erased with the rest', async (t) => {
  const { door, uber } = await networks(t)
  uber.faults.add({ operation: 'picture', kind: 'status', status: 404 })
  const { id, tracking_url, consignment_number: number } = await create(door)
  await advance(door, uber, 90)
  const delivered = await until(door, id, () => uber.faults.list().length === 0)
  assert.deepEqual([delivered.status, delivered.proof_url], ['delivered', undefined], 'it waits for nothing')
  const missing = await door.call(`GET /demo/deliveries/${id}/proof`)
  assert.equal(missing.json.code, 'proof_not_available')

  let nowMs = uber.clock.nowMs()
  await until(door, id, async ({ proof_url }) => {
    nowMs += 60_000
    await door.world.setClock(nowMs)
    return proof_url !== undefined
  })
  const file = await fetch(`${uber.url}/pictures/${number}-dropoff-picture.png`)
  const photo = Buffer.from(await file.arrayBuffer())
  const kept = await door.call(`GET /demo/deliveries/${id}/proof?format=image`)
  assert.deepEqual([kept.headers['content-type'], kept.bytes], ['image/png', photo])
  const paper = await door.call(`GET /demo/deliveries/${id}/proof`)
  assert.equal(paper.headers['content-type'], 'application/pdf')
  const shown = await door.call(`GET ${new URL(tracking_url).pathname}/photo`, { token: null })
  assert.deepEqual([shown.status, shown.bytes], [200, photo], 'its customer sees where it was left')

  const erased = await door.operator(`DELETE /admin/accounts/demo/deliveries/${id}`)
  assert.ok(erased.status < 300, erased.text)
  const { rows } = await door.world.deps.db.query('select 1 from delivery_proofs where delivery_id = $1', [
    id,
  ])
  assert.equal(rows.length, 0)
})

for (const network of ['uber_direct', 'doordash'] as const) {
  test(`a signature given to ${network} is a proof that only the merchant sees`, async (t) => {
    const { door, uber, dash } = await networks(t)
    const fake = network === 'uber_direct' ? uber : dash
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    const { id, tracking_url } = await create(door, {
      address: { ...(deliveryBody().address as object), business: true, company_name: 'Lim & Co' },
    })
    await advance(door, fake, 180)
    await until(door, id, ({ proof_url }) => proof_url !== undefined)
    const { rows } = await door.world.deps.db.query(
      'select kind, place, signed_by from delivery_proofs where delivery_id = $1',
      [id],
    )
    const signedBy = network === 'uber_direct' ? 'Lim & Co' : null
    assert.deepEqual(rows, [{ kind: 'signature', place: 'with_person', signed_by: signedBy }])
    const shown = await door.call(`GET ${new URL(tracking_url).pathname}/photo`, { token: null })
    assert.equal(shown.status, 404)
  })
}

test('a webhook of anybody else moves nothing', async (t) => {
  const { door } = await networks(t)
  const { id, consignment_number } = await create(door)
  const body = {
    ...{ id: 'evt_1', kind: 'event.delivery_status', status: 'delivered', delivery_id: consignment_number },
    created: new Date(TUESDAY_TEN_MS).toISOString(),
  }
  for (const headers of [{}, { 'x-uber-signature': 'ab'.repeat(32) }]) {
    const { status } = await door.call('POST /carriers/uber_direct/demo/webhooks', {
      token: null,
      body,
      headers,
    })
    assert.equal(status, 401)
  }
  assert.equal((await get(door, id)).status, 'booked')
})
