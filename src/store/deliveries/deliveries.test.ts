import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Pool, PoolClient } from 'pg'
import { rowsRead } from '../../../test/count-rows-read.ts'
import { anyone, type Fixture, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { createDelivery } from '../../operations/deliveries/create-delivery.ts'
import { listDeliveries as listFor } from '../../operations/deliveries/list-deliveries.ts'
import { findLiveSince } from '../accounts/account-versions.ts'
import { idAt } from '../db/id-times.ts'
import { type DeliveryFilter, listDeliveries } from './deliveries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HISTORY = 8_000
const NEWEST_MS = Date.parse('2026-11-01T00:00:00Z')
const OLDEST_MS = NEWEST_MS - HISTORY * HOUR_MS

const EVERYTHING: DeliveryFilter = {
  storeIds: null,
  status: null,
  manifestStatus: null,
  reference: null,
  createdFromMs: null,
  createdToMs: null,
  idsTellTimeFromMs: 0,
  day: null,
  ended: null,
  text: null,
  beforeId: null,
  limit: 51,
}

test('lists of rare rows do not scan the history', async (t) => {
  const { fixture, stores } = await fixtureWithHistory(t)
  const { db } = fixture.deps
  const dayMs = OLDEST_MS + 90 * DAY_MS
  const ended = {
    fromMs: dayMs,
    toMs: dayMs + DAY_MS,
    storeIds: stores,
    timeliness: null,
    provider: null,
    service: null,
  }
  const cases: [filter: Partial<DeliveryFilter>, found: number][] = [
    [{ status: 'cancelled' }, 20],
    [{ status: 'returned' }, 0],
    [{ status: 'on_hold' }, 10],
    [{ manifestStatus: 'pending' }, 30],
    [{ manifestStatus: 'ready' }, 0],
    [{ manifestStatus: 'not_required' }, 0],
    [{ status: 'cancelled', manifestStatus: 'pending' }, 20],
    [{ createdFromMs: dayMs, createdToMs: dayMs + DAY_MS }, 24],
    [{ createdToMs: OLDEST_MS + 12 * HOUR_MS }, 12],
    [{ createdFromMs: NEWEST_MS + DAY_MS }, 0],
    [{ ended }, 24],
    [{ ended: { ...ended, timeliness: 'early' } }, 24],
    [{ ended: { ...ended, timeliness: 'late' } }, 0],
    [{ ended: { ...ended, provider: 'nobody' } }, 0],
    [{ ended, status: 'returned' }, 0],
  ]
  for (const [filter, found] of cases) {
    for (const storeIds of [null, stores]) {
      const what = JSON.stringify({ ...filter, storeIds })
      let rows: unknown[] = []
      const read = await rowsRead(db, 'deliveries', async (client) => {
        rows = await listDeliveries(onlyOn(client), 'demo', { ...EVERYTHING, ...filter, storeIds })
      })
      assert.equal(rows.length, found, what)
      assert.ok(read <= 150, `${what} reads ${read} rows`)
    }
  }
})

test('rows created by another clock are found by their creation time', async (t) => {
  const { fixture } = await fixtureWithHistory(t)
  const { db } = fixture.deps
  // The oldest ten were created with a clock far ahead, before the account used the wall clock.
  await db.query(
    `update deliveries set created_at = $1
     where delivery_id in (select delivery_id from deliveries order by delivery_id limit 10)`,
    [new Date(NEWEST_MS - 5 * HOUR_MS).toISOString()],
  )
  const count = async (filter: Partial<DeliveryFilter>) =>
    (await listDeliveries(db, 'demo', { ...EVERYTHING, limit: 200, ...filter })).length
  const late = { createdFromMs: NEWEST_MS - 10 * HOUR_MS, createdToMs: NEWEST_MS }
  assert.equal(await count({ ...late, idsTellTimeFromMs: OLDEST_MS + DAY_MS }), 20)
  assert.equal(await count({ ...late, idsTellTimeFromMs: null }), 20)
  assert.equal(await count({ ...late, idsTellTimeFromMs: NEWEST_MS + DAY_MS }), 20)
  assert.equal(await count({ ...late, limit: 15, idsTellTimeFromMs: OLDEST_MS + DAY_MS }), 15)
  const early = { createdToMs: OLDEST_MS + DAY_MS }
  assert.equal(await count({ ...early, idsTellTimeFromMs: OLDEST_MS + 10 * DAY_MS }), 14)

  const filter = { storeReference: null, dayMs: null, ended: null, q: null, after: null, ...late }
  const asked = { ...EVERYTHING, ...filter, limit: 200 }
  const entry = fixture.demo()
  const live = { ...entry, account: { ...entry.account, mode: 'live' as const } }
  for (const one of [entry, live]) {
    const { page } = await listFor(fixture.deps, one, anyone, asked)
    assert.equal(page.length, 20, one.account.mode)
  }
})

test('an account is live since the first version after the last that was not', async (t) => {
  const { deps } = await testFixture(t, { work: false })
  await deps.db.query(
    `insert into account_versions (account_id, version, document, applied_at, applied_by)
     select 'demo', 100 + n, json_build_object('mode', mode), timestamptz '2026-11-01' + n * interval '1 day', 'test'
     from unnest(array['live', 'sandbox', 'live', 'live']) with ordinality as v(mode, n)`,
  )
  assert.equal(await findLiveSince(deps.db, 'demo'), Date.parse('2026-11-04T00:00:00Z'))
  await deps.db.query(`update account_versions set document = '{"mode": "sandbox"}' where version = 104`)
  assert.equal(await findLiveSince(deps.db, 'demo'), null)
})

/** One delivery per hour, delivered and manifested long ago; the oldest of them cancelled, followed by some on hold. */
async function fixtureWithHistory(t: TestContext): Promise<{ fixture: Fixture; stores: string[] }> {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const made = Array.from({ length: HISTORY }, (_, n) => OLDEST_MS + n * HOUR_MS)
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const readyForPickupAt = timestamp('2026-11-26T10:30:00+11:00')
  const request = { ...deliveryRequest, storeReference: 'melbourne-cbd', readyForPickupAt, reference: 'ONE' }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
  await db.query(
    `insert into deliveries
     select one.* from deliveries as d, unnest($1::text[], $2::timestamptz[]) with ordinality as made(id, at, n),
       jsonb_populate_record(d, jsonb_build_object('delivery_id', made.id, 'reference', 'H-' || n, 'created_at', at,
         'updated_at', at, 'due_at', null, 'manifest_status', case when n <= 30 then 'pending' else 'manifested' end,
         'status', case when n <= 20 then 'cancelled' when n <= 30 then 'on_hold' else 'delivered' end)) as one
     where d.reference = 'ONE'`,
    [made.map((ms) => `${idAt('dlv', ms)}0123456789abcdef`), made.map((ms) => new Date(ms).toISOString())],
  )
  const { rows } = await db.query(`delete from deliveries where reference = 'ONE' returning store_id`)
  await db.query('analyze deliveries')
  return { fixture, stores: [rows[0].store_id] }
}

/** A pool with only this connection, which belongs to another pool. */
function onlyOn(client: PoolClient): Pool {
  return { connect: async () => ({ query: client.query.bind(client), release() {} }) } as unknown as Pool
}
