import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody } from '../../../../test/api.ts'
import {
  advance,
  countBookings,
  create,
  DOORDASH_AUTHORIZATION,
  get,
  networks,
  OAUTH,
  untilDelivery,
} from '../../../../test/courier-networks.ts'
import { TUESDAY_TEN_MS, WORLD_SECRET_KEY } from '../../../../test/fixture.ts'
import { control } from '../../../../test/live-carriers.ts'
import { composeApp } from '../../../bootstrap/composition-root.ts'
import { makeLog } from '../../../log.ts'
import { purgeOldPositions } from '../../../store/carriers/courier-positions.ts'

test('Uber Direct delivers from booking to proof, and the customer can follow the courier', async (t) => {
  const { api, uber } = await networks(t)
  const booked = await create(api)
  assert.deepEqual([booked.status, booked.carrier_provider], ['booked', 'uber_direct'])
  assert.match(booked.consignment_number, /^del_/)
  assert.match(booked.parcels[0].article_id, /^UD/)

  await advance(api, uber, 46)
  for (let step = 0; step < 12 && (await get(api, booked.id)).status !== 'collected'; step += 1) {
    await advance(api, uber, 0.5)
  }
  const path = new URL(booked.tracking_url).pathname
  const seen = await api.call(`GET ${path}`, { token: null, headers: { accept: 'application/json' } })
  assert.equal(seen.json.data.status, 'collected', seen.text)
  assert.ok(seen.json.data.courier.first_name, seen.text)
  assert.ok(seen.json.data.courier.position, seen.text)

  await advance(api, uber, 30)
  assert.equal((await get(api, booked.id)).status, 'delivered')
  assert.equal(countBookings(uber), 1)
  assert.deepEqual(
    [await purgeOldPositions(api.fixture.deps.db), await purgeOldPositions(api.fixture.deps.db)],
    [1, 0],
  )
})

test('a lost booking response leads to one booking: by key while it is valid, later by search', async (t) => {
  const { api, uber } = await networks(t)
  // No webhooks: each of them would show that the network has the delivery.
  await control(uber, '/_fake/webhook-troubles', { lost_every: 1 })
  uber.faults.add({ operation: 'create_delivery', kind: 'lost' })
  const { id } = await create(api)
  assert.equal(
    (await untilDelivery(api, id, ({ status }) => status === 'booked')).carrier_provider,
    'uber_direct',
  )
  assert.equal(countBookings(uber), 1)

  uber.faults.add({ operation: 'create_delivery', kind: 'lost', times: null })
  const other = await create(api)
  assert.equal((await get(api, other.id)).status, 'requested')
  // A worker that has read the intent while it was young would send its key once more.
  await api.fixture.parts.runner.stop(30_000)
  await api.fixture.deps.db.query('update booking_intents set requested_at = $1', [
    new Date(Date.now() - 2 * 3_600_000).toISOString(),
  ])
  uber.clock.advance(2 * 3_600_000)
  // The courier, two hours later, may have collected or delivered it before a poll sees the booking.
  const found = await untilDelivery(api, other.id, async ({ consignment_number }) => {
    if (consignment_number !== undefined) return true
    await api.call(`PATCH /demo/deliveries/${other.id}/book`)
    return false
  })
  assert.equal(found.carrier_provider, 'uber_direct')
  assert.equal(countBookings(uber), 2)
})

test('the next network gets the delivery when the first has no courier', async (t) => {
  const { api, uber, dash } = await networks(t)
  await control(uber, '/_fake/couriers', { free: false })
  const booked = await create(api)
  assert.deepEqual([booked.status, booked.carrier_provider], ['booked', 'doordash'])
  assert.deepEqual([countBookings(uber), countBookings(dash)], [0, 1])

  await advance(api, dash, 180)
  assert.equal((await get(api, booked.id)).status, 'delivered')
})

for (const network of ['uber_direct', 'doordash'] as const) {
  test(`a parcel that ${network} cannot deliver returns under the same delivery`, async (t) => {
    const { api, uber, dash } = await networks(t)
    const fake = network === 'uber_direct' ? uber : dash
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    await control(fake, '/_fake/fates', { reference: '*', fate: 'undeliverable' })
    const { id } = await create(api, { authority_to_leave: false })
    await advance(api, fake, 240)
    const back = await get(api, id)
    assert.deepEqual([back.status, back.carrier_provider], ['returned', network])
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
    assert.deepEqual(moves.slice(-3), ['collected', 'pending_return', 'returned'])
  })

  test(`${network} allows cancellation until the parcel is collected`, async (t) => {
    const { api, uber } = await networks(t)
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    const { id } = await create(api)
    const { json } = await api.call(`PATCH /demo/deliveries/${id}/request-cancel`)
    assert.equal(json.data?.status, 'cancelled', JSON.stringify(json))
  })
}

test('a job that a courier drops before collection is reassigned automatically', async (t) => {
  const { api, uber, dash } = await networks(t)
  await control(uber, '/_fake/fates', { reference: '*', fate: 'courier_cancels' })
  const { id } = await create(api, { ready_for_pickup_at: '2026-11-24T11:00:00+11:00' })
  uber.faults.add(NO_POLLING)
  // The next network's clock advances before it gets the booking; later, its courier would leave at once.
  dash.clock.advance(90 * 60_000)
  await advance(api, uber, 90)
  const other = await untilDelivery(api, id, ({ carrier_provider }) => carrier_provider === 'doordash')
  assert.equal(other.status, 'booked')
  assert.deepEqual([countBookings(uber), countBookings(dash)], [1, 1])
  const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
  const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
  assert.deepEqual(moves.slice(-3), ['reassigned', 'requested', 'booked'])
})

/** No polling: ninety minutes pass at once here, and webhooks must arrive first, as they do in real time. */
const NO_POLLING = { operation: 'get_delivery', kind: 'status', status: 404, times: null } as const

for (const network of ['uber_direct', 'doordash'] as const) {
  test(`a job that ${network} drops on the way stays with it for a person, and polling ends`, async (t) => {
    const { api, uber, dash } = await networks(t)
    const fake = network === 'uber_direct' ? uber : dash
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    await control(fake, '/_fake/fates', { reference: '*', fate: 'courier_loses' })
    const { id } = await create(api)
    fake.faults.add(NO_POLLING)
    await advance(api, fake, 90)
    const lost = await untilDelivery(api, id, ({ sub_status }) => sub_status === 'undeliverable')
    fake.faults.clear()
    assert.deepEqual([lost.status, lost.carrier_provider], ['collected', network])
    const exceptions = async () => {
      const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
      return json.data.filter(({ type }: { type: string }) => type === 'delivery.exception').length
    }
    const exceptionsBefore = await exceptions()
    assert.ok(exceptionsBefore >= 1)
    const dueAt = async () =>
      (await api.fixture.deps.db.query('select due_at from deliveries where delivery_id = $1', [id])).rows[0]
        .due_at
    assert.notEqual(await dueAt(), null)
    await api.fixture.setClock(fake.clock.nowMs() + 49 * 3_600_000)
    await untilDelivery(api, id, async () => (await dueAt()) === null)
    assert.deepEqual([countBookings(uber) + countBookings(dash), await exceptions()], [1, exceptionsBefore])
  })
}

test('a job that the merchant cancels in Uber’s dashboard is cancelled and not reassigned', async (t) => {
  const { api, uber, dash } = await networks(t)
  await control(uber, '/_fake/webhook-troubles', { lost_every: 1 })
  const { id, consignment_number } = await create(api)
  const cancelled = await api.fixture.deps
    .carrierOf(api.fixture.demo(), 'uber_direct')
    ?.cancel?.(consignment_number)
  assert.equal(cancelled?.kind, 'yes')
  await advance(api, uber, 30)
  const over = await untilDelivery(api, id, ({ status }) => status !== 'booked')
  assert.deepEqual([over.status, countBookings(uber), countBookings(dash)], ['cancelled', 1, 0])
})

test('a late update of a job that DoorDash cancelled does not create an orphaned booking', async (t) => {
  const { api, uber, dash } = await networks(t)
  const { db } = api.fixture.deps
  for (const numbered of [true, false]) {
    await control(uber, '/_fake/couriers', { free: false })
    const { id, consignment_number: number } = await create(api)
    const { rows } = await db.query(
      `select key from booking_intents where delivery_id = $1 and provider = 'doordash'`,
      [id],
    )
    const { key } = rows[0]
    // The state if the response to the booking has no number yet.
    if (!numbered) {
      await db.query('update deliveries set consignment_number = $2 where delivery_id = $1', [id, key])
      await db.query(
        'update events set consignment_number = $2 where stream = $1 and consignment_number = $3',
        [id, key, number],
      )
    }
    await control(uber, '/_fake/couriers', { free: true })
    await api.call(`PATCH /demo/deliveries/${id}/reassign`)
    const other = await untilDelivery(
      api,
      id,
      ({ status, carrier_provider }) => status === 'booked' && carrier_provider !== 'doordash',
    )

    dash.faults.add({ operation: 'cancel_delivery', kind: 'cut' })
    const updates = {
      ...{ event_name: 'DASHER_CONFIRMED', external_delivery_id: key, dasher_id: 7 },
      ...{ fee: 999, tax: 0, currency: 'AUD', updated_at: new Date(TUESDAY_TEN_MS).toISOString() },
    }
    for (const support_reference of [number, undefined]) {
      const exceptionsBefore = await api.call('POST /carriers/doordash/demo/webhooks', {
        token: null,
        body: { ...updates, support_reference },
        headers: { authorization: DOORDASH_AUTHORIZATION },
      })
      assert.equal(exceptionsBefore.status, 200, exceptionsBefore.text)
    }
    assert.equal(dash.faults.list().length, 1, 'no second cancel request')
    dash.faults.clear()
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    assert.doesNotMatch(JSON.stringify(json.data), /had abandoned/)
    assert.equal((await get(api, id)).consignment_number, other.consignment_number)
  }
})

test('DoorDash reports with OAuth as well', async (t) => {
  const { api, uber, dash, ours } = await networks(t)
  const token_url = ours('doordash').replace(/webhooks$/, 'token')
  await control(dash, '/_fake/webhooks', { url: ours('doordash'), auth: { oauth: { token_url, ...OAUTH } } })
  await control(uber, '/_fake/couriers', { free: false })
  const { id } = await create(api)
  await control(dash, '/_fake/advance', { minutes: 40 })
  const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
  const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
  assert.ok(moves.includes('assigned'), JSON.stringify(json.data))

  const stranger = await api.call(`POST ${new URL(token_url).pathname}`, {
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials&client_id=doordash&client_secret=guess',
  })
  assert.equal(stranger.status, 401)
})

test('polling finds lost updates, and known updates are ignored', async (t) => {
  const { api, uber, dash } = await networks(t)
  for (const fake of [uber, dash]) await control(fake, '/_fake/webhook-troubles', { lost_every: 1 })
  const byUber = await create(api)
  await control(uber, '/_fake/couriers', { free: false })
  const byDash = await create(api)
  assert.equal(byDash.carrier_provider, 'doordash')
  await control(uber, '/_fake/advance', { minutes: 240 })
  await control(dash, '/_fake/advance', { minutes: 240 })
  await api.fixture.setClock(TUESDAY_TEN_MS + 240 * 60_000)
  for (const { id } of [byUber, byDash]) {
    await untilDelivery(api, id, ({ status }) => status === 'delivered')
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    const moves = json.data.flatMap(({ to }: { to?: string }) => to ?? [])
    assert.deepEqual(moves, ['created', 'requested', 'booked', 'collected', 'delivered'])
    await untilDelivery(api, id, ({ proof_url }) => proof_url !== undefined)
  }
})

test('a proof from the courier is fetched and stored, however late, and erased with the delivery', async (t) => {
  const { api, uber } = await networks(t)
  uber.faults.add({ operation: 'picture', kind: 'status', status: 404 })
  const { id, tracking_url, consignment_number: number } = await create(api)
  await advance(api, uber, 90)
  const delivered = await untilDelivery(api, id, () => uber.faults.list().length === 0)
  assert.deepEqual([delivered.status, delivered.proof_url], ['delivered', undefined], 'it waits for nothing')
  const missing = await api.call(`GET /demo/deliveries/${id}/proof`)
  assert.equal(missing.json.code, 'proof_not_available')

  let nowMs = uber.clock.nowMs()
  await untilDelivery(api, id, async ({ proof_url }) => {
    nowMs += 60_000
    await api.fixture.setClock(nowMs)
    return proof_url !== undefined
  })
  const file = await fetch(`${uber.url}/pictures/${number}-dropoff-picture.png`)
  const photo = Buffer.from(await file.arrayBuffer())
  const image = await api.call(`GET /demo/deliveries/${id}/proof?format=image`)
  assert.deepEqual([image.headers['content-type'], image.bytes], ['image/png', photo])
  const paper = await api.call(`GET /demo/deliveries/${id}/proof`)
  assert.equal(paper.headers['content-type'], 'application/pdf')
  const shown = await api.call(`GET ${new URL(tracking_url).pathname}/photo`, { token: null })
  assert.deepEqual([shown.status, shown.bytes], [200, photo], 'its customer sees where it was left')

  const erased = await api.operator(`DELETE /admin/accounts/demo/deliveries/${id}`)
  assert.ok(erased.status < 300, erased.text)
  const { rows } = await api.fixture.deps.db.query('select 1 from delivery_proofs where delivery_id = $1', [
    id,
  ])
  assert.equal(rows.length, 0)
})

for (const network of ['uber_direct', 'doordash'] as const) {
  test(`a signature from ${network} is a proof that only the merchant sees`, async (t) => {
    const { api, uber, dash } = await networks(t)
    const fake = network === 'uber_direct' ? uber : dash
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    const { id, tracking_url } = await create(api, {
      address: { ...(deliveryBody().address as object), business: true, company_name: 'Lim & Co' },
    })
    await advance(api, fake, 180)
    await untilDelivery(api, id, ({ proof_url }) => proof_url !== undefined)
    const { rows } = await api.fixture.deps.db.query(
      'select kind, place, signed_by from delivery_proofs where delivery_id = $1',
      [id],
    )
    const signedBy = network === 'uber_direct' ? 'Lim & Co' : null
    assert.deepEqual(rows, [{ kind: 'signature', place: 'with_person', signed_by: signedBy }])
    const shown = await api.call(`GET ${new URL(tracking_url).pathname}/photo`, { token: null })
    assert.equal(shown.status, 404)
  })
}

test('a webhook with another signature changes nothing', async (t) => {
  const { api } = await networks(t)
  const { id, consignment_number } = await create(api)
  const body = {
    ...{ id: 'evt_1', kind: 'event.delivery_status', status: 'delivered', delivery_id: consignment_number },
    created: new Date(TUESDAY_TEN_MS).toISOString(),
  }
  for (const headers of [{}, { 'x-uber-signature': 'ab'.repeat(32) }]) {
    const { status } = await api.call('POST /carriers/uber_direct/demo/webhooks', {
      token: null,
      body,
      headers,
    })
    assert.equal(status, 401)
  }
  assert.equal((await get(api, id)).status, 'booked')
})

test('a second process reuses the first one’s access token, because Uber Direct limits tokens', async (t) => {
  const { api, uber } = await networks(t)
  await create(api)
  const other = composeApp({
    config: { secretKey: WORLD_SECRET_KEY, publicUrl: 'http://drover.test' },
    databaseUrl: api.fixture.databaseUrl,
    name: 'test, the other',
    log: makeLog('silent'),
  })
  t.after(() => other.stop())
  await other.start({ work: false })
  const checked = await other.deps.carrierOf(api.fixture.demo(), 'uber_direct')?.check?.()
  assert.equal(checked?.kind, 'yes', JSON.stringify(checked))
  assert.equal(uber.ledger.entries({ what: 'token_issued' }).length, 1)
})
