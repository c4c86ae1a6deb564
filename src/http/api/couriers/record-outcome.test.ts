import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'
import { type DriverApi, driverApi, ownDelivery, SAM } from '../../../../test/driver.ts'
import { until } from '../../../../test/wait-until.ts'

const wine = { line_items: [], product_types: { alcohol: true }, price_cents_total_value: 4_000 }

async function collected(api: Api, sam: DriverApi, reference: string, over: object = {}): Promise<string> {
  const { id } = await ownDelivery(api, SAM, { reference, ...over })
  for (const verb of ['accept', 'collect']) {
    const { status, text } = await sam.call(`POST /driver/jobs/${id}/${verb}`)
    assert.equal(status, 200, text)
  }
  return id
}

const statusOf = async (api: Api, id: string) =>
  (await api.call(`GET /demo/deliveries/${id}`)).json.data.status
const record = (api: Api, id: string, outcome: string, reason = 'The phone broke') =>
  api.call(`PATCH /demo/deliveries/${id}/record-outcome`, { body: { outcome, reason } })

test('a driver returns an undelivered parcel after any reason, and the store has it again', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  for (const reason of ['nobody_home', 'cannot_get_in', 'other', null]) {
    const id = await collected(api, sam, `BACK-${reason}`)
    if (reason) await sam.call(`POST /driver/jobs/${id}/fail`, { body: { reason } })
    for (const again of [1, 2]) {
      const back = await sam.call(`POST /driver/jobs/${id}/bring-back`)
      assert.deepEqual([back.status, back.json.data.status], [200, 'pending_return'], `${reason} ${again}`)
    }
    assert.equal((await sam.call(`POST /driver/jobs/${id}/return`)).json.data.status, 'returned')
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    assert.ok(
      json.data.some(({ detail }: { detail?: string }) => detail?.startsWith('The driver brings it back to')),
    )
  }
})

test('the store records the outcome of an absent driver’s job, with a reason and an audit row', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const cases = [
    ['delivered', 'delivered'],
    ['returned', 'returned'],
    ['taken_over', 'on_hold'],
  ] as const
  for (const [outcome, status] of cases) {
    const id = await collected(api, sam, `BY-HAND-${outcome}`)
    const done = await record(api, id, outcome)
    assert.deepEqual([done.status, done.json.data.status], [200, status], done.text)
    const again = await record(api, id, outcome)
    assert.deepEqual([again.status, again.json.data.status], [200, status])
    const jobs = (await sam.call('GET /driver/jobs')).json.data as { id: string }[]
    assert.ok(
      jobs.every((job) => job.id !== id),
      'the driver no longer has it',
    )
    const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
    const message = json.data.filter(({ detail }: { detail?: string }) =>
      detail?.includes('The phone broke.'),
    )
    assert.equal(message.length, 1)
    const { rows } = await api.fixture.deps.db.query(
      `select action from audit_log where object = $1 and action = 'recordOutcome'`,
      [id],
    )
    assert.equal(rows.length, 1)
  }
})

test('a job that the store took over is reassigned or cancelled', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const ids = [await collected(api, sam, 'TAKEN-1'), await collected(api, sam, 'TAKEN-2')]
  for (const id of ids) await record(api, id, 'taken_over')
  const staff_courier = { phone: '+61491570157', driver_name: 'Mia Tran' }
  const assigned = await api.call(`PATCH /demo/deliveries/${ids[0]}/assign`, { body: { staff_courier } })
  assert.deepEqual([assigned.status, assigned.json.data.status], [200, 'requested'], assigned.text)
  const cancelled = await api.call(`PATCH /demo/deliveries/${ids[1]}/request-cancel`, { body: {} })
  assert.equal(cancelled.json.data.status, 'cancelled')
})

test('the store recovers parcels from a courier who was disabled', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const id = await collected(api, sam, 'OFF-1')
  const list = (await api.call('GET /demo/staff-couriers')).json.data as {
    id: string
    phone: string
    store_id: string
  }[]
  for (const { id: courier, phone } of list)
    if (phone === SAM) await api.call(`PATCH /demo/staff-couriers/${courier}`, { body: { active: false } })
  assert.equal(await statusOf(api, id), 'collected')
  assert.equal((await record(api, id, 'returned')).json.data.status, 'returned')
})

test('every rejection names an action that works', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const id = await collected(api, sam, 'WAY-1')
  const body = { staff_courier: { phone: '+61491570157', driver_name: 'Mia Tran' } }
  for (const [line, sent] of [
    ['assign', body],
    ['request-cancel', {}],
  ] as const) {
    const refused = await api.call(`PATCH /demo/deliveries/${id}/${line}`, { body: sent })
    assert.equal(refused.status, 409)
    assert.match(refused.json.detail, /record-outcome/, line)
  }
  const rejected = await api.call(`POST /demo/deliveries/${id}/carrier-status`, {
    body: { status: 'delivered' },
  })
  assert.match(rejected.json.detail, /record-outcome/)

  const waiting = await api.call('POST /demo/deliveries', { body: deliveryBody({ reference: 'WAY-2' }) })
  const early = await record(api, waiting.json.data.id, 'delivered')
  assert.deepEqual([early.status, early.json.code], [409, 'outcome_not_possible'])
  assert.match(early.json.detail, /book, assign or cancel it/)
  const booked = await api.call('POST /demo/deliveries', {
    body: deliveryBody({ reference: 'WAY-3', book_delivery_now: true }),
  })
  assert.match(
    (await record(api, booked.json.data.id, 'delivered')).json.detail,
    /once its delivery window is over/,
  )
  assert.equal((await record(api, id, 'delivered', ' ')).status, 422, 'a reason is required')
})

test('age-restricted goods that a driver refuses to supply are returned; the record says who refused, and where', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  for (const reason of ['under_18', 'no_id', 'intoxicated']) {
    const id = await collected(api, sam, `WINE-${reason}`, wine)
    const fail = (body: object) => sam.call(`POST /driver/jobs/${id}/fail`, { body: { reason, ...body } })
    assert.deepEqual(
      (await fail({})).json.errors.map(({ field }: { field: string }) => field),
      ['id'],
    )
    const { address } = (await api.call(`GET /demo/deliveries/${id}`)).json.data
    const done = await fail({ id: `fail-${reason}-1`, lat: address.lat, lng: address.lng + 0.001 })
    assert.deepEqual([done.status, done.json.data.status], [200, 'pending_return'], done.text)
    const delivery = (await api.call(`GET /demo/deliveries/${id}`)).json.data
    assert.match(
      delivery.status_reason,
      /^Not handed over: .*Refused by Sam Okafor, 8\d m from the address\./,
    )
    const tracking = await api.call(`GET ${new URL(delivery.tracking_url).pathname}`, {
      token: null,
      headers: { accept: 'application/json' },
    })
    assert.match(tracking.text, /adult who shows ID/)
    assert.doesNotMatch(tracking.text, /another try/)
    type Message = { template: string; status: string; text: string }
    const refusals = async (): Promise<Message[]> =>
      (await api.call(`GET /demo/messages?delivery_id=${id}`)).json.data.filter(
        ({ template, status }: Message) => template === 'supply_refused' && status !== 'queued',
      )
    await until(async () => (await refusals()).length === 2, 'the customer is told by SMS and email')
    for (const { text } of await refusals()) assert.match(text, /an adult must show photo ID/i)
  }
  const plain = await collected(api, sam, 'NO-WINE')
  const refused = await sam.call(`POST /driver/jobs/${plain}/fail`, {
    body: { id: 'fail-plain-1', reason: 'no_id' },
  })
  assert.deepEqual(
    refused.json.errors.map(({ field }: { field: string }) => field),
    ['reason'],
  )
})

test('the timeline records the ID that was seen, and no date of birth is stored', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const id = await collected(api, sam, 'WINE-OK', wine)
  const proof = { id: 'proof-wine-1', kind: 'signature', strokes: [[1, 1, 2, 2]], signed_by: 'Ada' }
  const deliver = (more: object) =>
    sam.call(`POST /driver/jobs/${id}/deliver`, { body: { proof: { ...proof, ...more } } })
  assert.equal((await deliver({ id_checked: true })).status, 422)
  assert.equal((await deliver({ id_kind: 'passport' })).status, 422)
  assert.equal((await deliver({ id_checked: true, id_kind: 'passport' })).json.data.status, 'delivered')
  const { json } = await api.call(`GET /demo/deliveries/${id}/events`)
  assert.ok(
    json.data.some(({ detail }: { detail?: string }) =>
      detail?.includes('Passport seen, date of birth checked.'),
    ),
  )
})
