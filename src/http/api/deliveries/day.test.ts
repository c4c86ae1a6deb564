import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'

const DAY = 'GET /demo/deliveries?store_reference=melbourne-cbd&on_day='

async function referencesOn(api: Api, day: string): Promise<string[]> {
  const { json, text } = await api.call(`${DAY}${day}`)
  assert.ok(json.data, text)
  return json.data.map(({ reference }: { reference: string }) => reference).sort()
}

test('a store’s day lists open deliveries ready by its end, and those that ended on it', async (t) => {
  const api = await testApi(t, { work: false })
  const ready = { today: '2026-11-24T14:00:00', late: '2026-11-24T23:59:00', tomorrow: '2026-11-25T09:00:00' }
  for (const [reference, ready_for_pickup_at] of Object.entries(ready)) {
    const { status, text } = await api.call('POST /demo/deliveries', {
      body: deliveryBody({ reference, ready_for_pickup_at }),
    })
    assert.equal(status, 201, text)
  }
  assert.deepEqual(await referencesOn(api, '2026-11-24'), ['late', 'today'])
  assert.deepEqual(await referencesOn(api, '2026-11-25'), ['late', 'today', 'tomorrow'])

  await api.call('PATCH /demo/deliveries/today/request-cancel')
  assert.deepEqual(await referencesOn(api, '2026-11-24'), ['late', 'today'], 'it ended on that day')
  assert.deepEqual(await referencesOn(api, '2026-11-25'), ['late', 'tomorrow'], 'and not on the next day')

  const { status, json } = await api.call(`${DAY}2026-02-30`)
  assert.equal(status, 422)
  assert.equal(json.errors[0].field, 'on_day')
})

test('a reader that asks the feed for its latest cursor gets only later events', async (t) => {
  const api = await testApi(t, { work: false })
  await api.call('POST /demo/deliveries', { body: deliveryBody() })
  const { json: end } = await api.call('GET /demo/events?after=latest')
  assert.deepEqual(end.data, [])
  const { json: quiet } = await api.call(`GET /demo/events?after=${end.pagination.next}`)
  assert.deepEqual(quiet.data, [])
  const { json: created } = await api.call('POST /demo/deliveries', { body: deliveryBody() })
  const { json: updates } = await api.call(`GET /demo/events?after=${end.pagination.next}`)
  assert.ok(updates.data.length > 0)
  for (const { data } of updates.data) assert.equal(data.delivery_id, created.data.id)
})

test('an account without events has a latest cursor too', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call('GET /demo/events?after=latest')
  assert.equal((await api.call(`GET /demo/events?after=${json.pagination.next}`)).status, 200)
})

test('a store returns the account’s time and when each service closes there today', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call('GET /demo/stores/fitzroy')
  assert.match(json.data.today.now, /^2026-11-24T10:00:/)
  const closes = Object.fromEntries(
    json.data.services.map((one: Record<string, string>) => [one.service, one.closes_at?.slice(11, 16)]),
  )
  assert.deepEqual(closes, { NOW: undefined, TODAY: '12:30', ROAD: '15:00', AIR: '16:00', FREIGHT: '12:00' })
})
