import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { checkPooler } from '../src/doctor/pooler.ts'
import { claimDeliveries, processDueDeliveries } from '../src/operations/deliveries/process-due-deliveries.ts'
import { findRemedy } from '../src/operations/quoting/failure-remedy.ts'
import { listen } from '../src/store/db/listen.ts'
import { migrate } from '../src/store/db/migrate.ts'
import { makePool } from '../src/store/db/pool.ts'
import { deliveryBody, testApi } from './api.ts'
import { CONNECT_MS, testDatabase } from './database.ts'
import { PGBOUNCER, startPgBouncer } from './pgbouncer.ts'
import { rejectingPooler, sharedServer } from './pooler-double.ts'
import { until } from './wait-until.ts'

const skip = PGBOUNCER ? false : 'PGBOUNCER does not name the program (1.21 or newer).'

const pool = (url: string, directUrl?: string): pg.Pool =>
  makePool(url, { max: 5, applicationName: 'test', connectMs: CONNECT_MS, directUrl })

const findingsOf = (databaseUrl: string, directUrl: string) =>
  checkPooler(
    loadConfig({
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: directUrl,
      DROVER_SECRET_KEY: 'a secret key for tests, long enough',
    }),
  )

test('without DATABASE_DIRECT_URL a pooler refuses the connection, and the remedy names the setting', async (t) => {
  const { url } = await testDatabase()
  const pooler = await rejectingPooler(t, url)
  const db = pool(pooler.url)
  const error = await db.query('select 1').catch((error) => error)
  await db.end()
  assert.equal(error.code, '08P01')
  assert.match(findRemedy(error) ?? '', /Set DATABASE_DIRECT_URL to PostgreSQL itself/)
})

test('with DATABASE_DIRECT_URL statements go through the pooler, and listeners past it', async (t) => {
  const { url } = await testDatabase()
  const pooler = await rejectingPooler(t, url)
  const db = pool(pooler.url, url)
  const heard: string[] = []
  const unlisten = listen(db, 'test_pooler', (payload) => heard.push(payload))
  await until(() => heard.length > 0, 'it listens')
  assert.equal(pooler.connections(), 0)
  await db.query(`select pg_notify('test_pooler', 'by the pooler')`)
  await until(() => heard.includes('by the pooler'), 'the listener hears')
  assert.equal(pooler.connections(), 1)
  await unlisten()
  await db.end()
})

test('migrate refuses a pooler in transaction mode', async (t) => {
  const { url } = await testDatabase()
  await assert.rejects(
    migrate(await sharedServer(t, url)),
    /pooler in transaction mode.* DATABASE_DIRECT_URL/,
  )
  assert.deepEqual(await migrate(url), { applied: [] })
})

test('drover doctor compares the two addresses and names the settings that the role lacks', async (t) => {
  const [one, other] = [await testDatabase(), await testDatabase()]
  const pooler = await rejectingPooler(t, one.url)
  const [lacks] = await findingsOf(pooler.url, one.url)
  assert.equal(lacks?.found, 'note')
  assert.match(lacks?.remedy ?? '', /alter role current_user set statement_timeout = '10000ms'/)
  const [differs] = await findingsOf(pooler.url, other.url)
  assert.match(differs?.message ?? '', /different databases/)
  const [shared] = await findingsOf(pooler.url, await sharedServer(t, one.url))
  assert.match(shared?.message ?? '', /pooler in transaction mode/)
})

for (const mode of ['transaction', 'session'] as const) {
  test(`deliveries are created, booked and read through PgBouncer in ${mode} mode`, { skip }, async (t) => {
    const { url } = await testDatabase()
    const pooled = await startPgBouncer(t, url, mode)
    if (mode === 'transaction') await assert.rejects(migrate(pooled), /DATABASE_DIRECT_URL/)
    const api = await testApi(t, { work: false, pooled: { url: pooled, directUrl: url } })
    const { deps } = api.fixture
    const create = (n: number) =>
      api.call('POST /demo/deliveries', {
        body: deliveryBody({ reference: `B-${n}`, delivery_type: 'standard', ready_for_pickup_at: READY }),
      })
    const made = await Promise.all(Array.from({ length: 40 }, (_, n) => create(n)))
    for (const { status, text } of made) assert.equal(status, 201, text)
    await processDueDeliveries(deps, await claimDeliveries(deps, 50))
    const read = await Promise.all(made.map(({ json }) => api.call(`GET /demo/deliveries/${json.data.id}`)))
    assert.deepEqual([...new Set(read.map(({ json }) => json.data.status))], ['booked'])
    const { rows } = await deps.db.query<{ zone: string }>(`select current_setting('timezone') as zone`)
    assert.equal(rows[0]?.zone, 'UTC')
  })
}

const READY = '2026-11-24T10:30:00+11:00'
