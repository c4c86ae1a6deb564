import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, testApi } from '../../../../test/api.ts'
import { type DriverApi, driverApi, JPEG, MIA, ownDelivery, SAM } from '../../../../test/driver.ts'

test('a driver’s repeated requests, and jobs that are taken from them', async (t) => {
  const api = await testApi(t)
  const { call, fixture } = api
  const sam = await driverApi(api, SAM)

  await t.test('a repeated refusal gets the same response, also after a reassignment', async () => {
    const { id } = await ownDelivery(api)
    const refuse = () => sam.call(`POST /driver/jobs/${id}/refuse`, { body: { reason: 'Flat tyre.' } })
    const first = await refuse()
    const [again, audited] = [await refuse(), await auditRows(api, 'refuseJob', id)]
    assert.deepEqual([again.status, again.json], [200, first.json], again.text)
    assert.equal(audited, 1)
    await assign(api, id, MIA)
    assert.deepEqual((await refuse()).json, first.json)
    assert.equal((await get(api, id)).status, 'requested', 'a repeated refusal does not change it')
    await assign(api, id, SAM)
    assert.equal((await sam.call(`POST /driver/jobs/${id}/accept`)).json.data.status, 'assigned')
    assert.equal((await refuse()).json.data.status, 'on_hold', 'after a new offer the driver may return it')
    assert.equal((await get(api, id)).status, 'on_hold')
  })

  await t.test('a repeated return gets the same response; a reassigned job is not found', async () => {
    const id = await collected(api, sam)
    await sam.call(`POST /driver/jobs/${id}/fail`, { body: { reason: 'damaged' } })
    const [first, again] = [await step(sam, id, 'return'), await step(sam, id, 'return')]
    assert.deepEqual([again.status, again.json], [200, first.json], again.text)
    assert.equal((await events(api, id)).filter(({ to }) => to === 'returned').length, 1)
    const accepted = await ownDelivery(api)
    await assign(api, accepted.id, MIA)
    assert.equal((await step(sam, accepted.id, 'refuse')).status, 404)
  })

  await t.test('two equal failures at the same moment create one event', async () => {
    const id = await collected(api, sam)
    const body = { id: 'fail-0001', reason: 'nobody_home' }
    const both = await Promise.all([1, 2].map(() => sam.call(`POST /driver/jobs/${id}/fail`, { body })))
    assert.deepEqual(
      both.map(({ status, json }) => [status, json.data?.status]),
      [
        [200, 'collected'],
        [200, 'collected'],
      ],
    )
    const deliveryEvents = await events(api, id)
    assert.equal(deliveryEvents.filter(({ type }) => type === 'delivery.exception').length, 1)
    assert.equal(await auditRows(api, 'failJob', id), 1)
  })

  await t.test('steps that waited for a signal keep their times and order', async () => {
    const { id } = await ownDelivery(api)
    await step(sam, id, 'accept')
    const takenMs = fixture.demo().nowMs()
    await fixture.setClock(takenMs + 60 * 60_000)
    const at = (minute: number) => new Date(takenMs + minute * 60_000).toISOString()
    const steps: [verb: string, body: object][] = [
      ['approach', { at: at(5) }],
      ['collect', { at: at(10) }],
      ['fail', { id: 'fail-at-20', reason: 'nobody_home', at: at(20) }],
      // The phone's clock was set back in the meantime.
      ['deliver', { proof: { id: 'proof-at-15', kind: 'photo', image: JPEG, at: at(15) } }],
    ]
    for (const [verb, body] of steps) {
      const { status, text } = await sam.call(`POST /driver/jobs/${id}/${verb}`, { body })
      assert.equal(status, 200, text)
    }
    const minuteOf = (ms: number) => (ms - takenMs) / 60_000
    assert.deepEqual(
      (await events(api, id)).slice(-5).map((one) => [one.to ?? one.type, minuteOf(Date.parse(one.at))]),
      [
        ['approaching', 5],
        ['collected', 10],
        ['delivery.status_changed', 20],
        ['delivery.exception', 20],
        ['delivered', 20],
      ],
    )
    const { rows: arrivals } = await fixture.deps.db.query(
      'select carrier_event_at as at from deliveries where delivery_id = $1',
      [id],
    )
    assert.equal(minuteOf(arrivals[0].at), 20, 'insights count it as on time')
    const { rows } = await fixture.deps.db.query('select at from delivery_proofs where delivery_id = $1', [
      id,
    ])
    assert.deepEqual(
      rows.map((proof) => minuteOf(proof.at)),
      [20, 20],
    )
  })

  await t.test('a driver is notified when a job that they accepted is reassigned', async () => {
    const { id, reference } = await ownDelivery(api)
    await assign(api, id, SAM)
    assert.deepEqual(await notes(api, id), [], 'only offered')
    await step(sam, id, 'accept')
    await assign(api, id, MIA)
    const [note, ...more] = await notes(api, id)
    assert.deepEqual([note?.to, more.length], [SAM, 0])
    assert.match(note?.text ?? '', new RegExp(`${reference} to Carlton has been cancelled`))
  })

  await t.test('a courier keeps their jobs under a new phone number', async () => {
    const [accepted, offered] = [(await ownDelivery(api)).id, (await ownDelivery(api)).id]
    await step(sam, accepted, 'accept')
    const other = '+61491570158'
    const changed = await change(api, SAM, { phone: other })
    assert.equal(changed.status, 200, changed.text)
    const sam2 = await driverApi(api, other)
    const mine = (await sam2.call('GET /driver/jobs')).json.data.map((job: { id: string }) => job.id)
    assert.ok(mine.includes(accepted) && mine.includes(offered), 'both jobs stay with the courier')
    assert.equal((await step(sam2, accepted, 'approach')).json.data.status, 'approaching')
    assert.equal((await step(sam2, offered, 'accept')).json.data.status, 'assigned')
    assert.equal((await change(api, other, { phone: SAM })).status, 200)
  })

  await t.test('a disabled courier’s open jobs return to the store; collected ones stay', async () => {
    const again = await driverApi(api, SAM)
    const [offered, accepted] = [(await ownDelivery(api)).id, (await ownDelivery(api)).id]
    await step(again, accepted, 'accept')
    const carried = await collected(api, again)
    assert.equal((await change(api, SAM, { active: false })).status, 200)
    for (const id of [offered, accepted]) {
      const { status, status_reason, consignment_number } = await get(api, id)
      assert.deepEqual([status, consignment_number], ['on_hold', undefined])
      assert.equal(status_reason, 'Sam Okafor no longer drives for the store.')
    }
    assert.deepEqual(
      [(await notes(api, offered)).length, (await notes(api, accepted)).length],
      [0, 1],
      'a driver who accepted a job is notified',
    )
    const retained = await get(api, carried)
    assert.deepEqual(
      [retained.status, retained.status_reason],
      ['collected', 'Sam Okafor no longer drives for the store, and has the parcels.'],
    )
    assert.equal((await events(api, carried)).at(-1)?.type, 'delivery.exception')
    assert.equal((await change(api, SAM, { active: true })).status, 200)
    const back = await driverApi(api, SAM)
    assert.equal((await step(back, carried, 'collect')).json.data.status, 'collected', 'they can end it')
    const [profile] = (await call('GET /demo/staff-couriers')).json.data
    const { id: job } = await ownDelivery(api)
    assert.equal((await call(`DELETE /demo/staff-couriers/${profile.id}`)).status, 204)
    assert.equal((await get(api, job)).status, 'on_hold')
  })

  await t.test('a position is accepted again after the clock was set back', async () => {
    const mia = await driverApi(api, MIA)
    const place = (lat: number) => mia.call('POST /driver/location', { body: { lat, lng: 144.9 } })
    const lat = async () =>
      (await fixture.deps.db.query('select lat from staff_couriers where phone = $1', [MIA])).rows[0].lat
    const nowMs = fixture.demo().nowMs()
    await place(-37.1)
    await fixture.setClock(nowMs - 86_400_000)
    await place(-37.2)
    assert.equal(await lat(), -37.2)
    const earlier = { lat: -37.3, lng: 144.9, at: new Date(nowMs - 2 * 86_400_000).toISOString() }
    await mia.call('POST /driver/location', { body: earlier })
    assert.equal(await lat(), -37.2, 'older than what is known')
  })
})

const step = (driver: DriverApi, id: string, verb: string) => driver.call(`POST /driver/jobs/${id}/${verb}`)

async function collected(api: Api, driver: DriverApi): Promise<string> {
  const { id } = await ownDelivery(api)
  await step(driver, id, 'accept')
  await step(driver, id, 'collect')
  return id
}

async function assign({ call }: Api, id: string, phone: string): Promise<void> {
  const staff_courier = { phone, driver_name: phone === SAM ? 'Sam Okafor' : 'Mia Tran' }
  const { status, text } = await call(`PATCH /demo/deliveries/${id}/assign`, { body: { staff_courier } })
  assert.equal(status, 200, text)
}

async function change({ call }: Api, phone: string, body: object) {
  const { data } = (await call('GET /demo/staff-couriers')).json
  const { id } = data.find((one: { phone: string }) => one.phone === phone)
  return call(`PATCH /demo/staff-couriers/${id}`, { body })
}

async function get({ call }: Api, id: string) {
  return (await call(`GET /demo/deliveries/${id}`)).json.data
}

async function events({ call }: Api, id: string): Promise<{ type: string; to?: string; at: string }[]> {
  return (await call(`GET /demo/deliveries/${id}/events`)).json.data
}

async function notes({ call }: Api, id: string): Promise<{ to: string; text: string }[]> {
  const { data } = (await call(`GET /demo/messages?delivery_id=${id}`)).json
  return data.filter((one: { template: string }) => one.template === 'driver_note')
}

async function auditRows({ fixture }: Api, action: string, object: string): Promise<number> {
  const { rows } = await fixture.deps.db.query(
    'select count(*)::int as n from audit_log where action = $1 and object = $2',
    [action, object],
  )
  return rows[0].n
}
