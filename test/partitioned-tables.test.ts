import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPartitioned } from '../src/store/partitions/monthly-partitions.ts'
import { partition } from '../src/store/partitions/partition.ts'
import { type Api, deliveryBody, testApi } from './api.ts'
import { ON_CITUS } from './database.ts'
import { TUESDAY_TEN_MS } from './fixture.ts'
import { untilStatus } from './until-status.ts'

const skip = ON_CITUS
const MONTH_MS = 31 * 24 * 3_600_000
const DIVIDED_AFTER = 8
const DELIVERIES = 24
const TIME_OF_BOOKING_MS = TUESDAY_TEN_MS + 90 * 60_000

async function create({ call }: Api, reference: string): Promise<string> {
  const { status, json } = await call('POST /demo/deliveries', {
    body: deliveryBody({ reference, ready_for_pickup_at: '2026-11-24T12:00:00+11:00' }),
  })
  assert.equal(status, 201, JSON.stringify(json))
  return json.data.id
}

test('tables are partitioned while deliveries are created and booked, and nothing is lost or doubled', {
  skip,
}, async (t) => {
  const api = await testApi(t)
  const { db } = api.fixture.deps
  if ((await findPartitioned(db)).length > 0) return
  const ids: string[] = []
  let dividing: Promise<unknown> = Promise.resolve()
  for (let n = 0; n < DELIVERIES; n++) {
    if (n === DIVIDED_AFTER) dividing = partition(api.fixture.databaseUrl)
    ids.push(await create(api, `DIVIDED-${n}`))
  }
  await dividing
  ids.push(await create(api, 'AFTERWARDS'))
  await api.fixture.setClock(TIME_OF_BOOKING_MS)
  for (const id of ids) await untilStatus(api, id, 'booked')
  const { rows } = await db.query(
    `select count(*)::int as events, count(distinct position)::int as positions,
       (select count(*)::int from booking_intents where state = 'accepted') as accepted from events`,
  )
  assert.equal(rows[0].positions, rows[0].events)
  assert.equal(rows[0].accepted, ids.length)
  const feed = new Map<string, string[]>()
  for (let after = '', more = true; more; ) {
    const { json } = await api.call(`GET /demo/events?limit=50${after && `&after=${after}`}`)
    for (const { type, data } of json.data)
      feed.set(data.delivery_id, [...(feed.get(data.delivery_id) ?? []), type])
    after = json.pagination.next
    more = json.data.length > 0
  }
  for (const id of ids) {
    const types = feed.get(id) ?? []
    assert.deepEqual(
      [types[0], types.filter((type) => type === 'delivery.booked').length],
      ['delivery.created', 1],
      id,
    )
  }
})

test('a delivery’s rows are in the month of its creation', { skip }, async (t) => {
  const api = await testApi(t)
  const { db } = api.fixture.deps
  if ((await findPartitioned(db)).length === 0)
    await partition(api.fixture.databaseUrl, { nowMs: Date.now() - MONTH_MS })
  const month = new Date().toISOString().slice(0, 7).replace('-', '_')
  const id = await create(api, 'IN-ITS-MONTH')
  await api.fixture.setClock(TIME_OF_BOOKING_MS)
  await untilStatus(api, id, 'booked')
  assert.equal((await api.call(`PATCH /demo/deliveries/${id}/request-cancel`)).status, 200)
  await untilStatus(api, id, 'cancelled')
  for (const [table, key] of [
    ['events', 'stream'],
    ['booking_intents', 'delivery_id'],
  ]) {
    const { rows } = await db.query(
      `select distinct tableoid::regclass::text as name from ${table} where account_id = 'demo' and ${key} = $1`,
      [id],
    )
    assert.deepEqual(rows, [{ name: `${table}_${month}` }])
  }
})
