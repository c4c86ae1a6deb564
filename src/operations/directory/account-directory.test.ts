import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { parse } from 'yaml'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { until } from '../../../test/wait-until.ts'
import { setAccountClock } from '../accounts/account-clock.ts'
import { applyAccount } from '../accounts/apply-account.ts'
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.ts'
import { newId } from '../new-id.ts'
import { type AccountDirectory, makeAccountDirectory } from './account-directory.ts'

const log = pino({ level: 'silent' })
const demo = parse(await readFile(new URL('../../../examples/demo-account.yaml', import.meta.url), 'utf8'))

let database: TestDatabase
let accounts: AccountDirectory
before(async () => {
  database = await testDatabase()
  accounts = makeAccountDirectory({ db: database.pool, log })
  await accounts.start()
})
after(() => accounts.stop())

const elsewhere = () => ({ db: database.pool, newId })
const named = (tenantId: string, change: object = {}) => ({ ...demo, tenant_id: tenantId, ...change })

test('an account that another process applied is found, as is its next version', async () => {
  assert.equal(await accounts.find('followed'), null)
  await applyAccount(elsewhere(), named('followed'), { by: 'test' })
  await until(async () => (await accounts.find('followed'))?.account.version === 1)
  assert.equal((await accounts.find('followed'))?.account.storeByReference.size, 10)

  await applyAccount(elsewhere(), named('followed', { name: 'Renamed' }), { by: 'test' })
  await until(async () => (await accounts.find('followed'))?.account.name === 'Renamed')
})

test('a delivery gets the account version of its decision, from memory or the database', async () => {
  await applyAccount(elsewhere(), named('versions', { name: 'First' }), { by: 'test' })
  await applyAccount(elsewhere(), named('versions', { name: 'Second' }), { by: 'test' })
  await accounts.refresh()
  assert.equal((await accounts.atVersion('versions', 1)).name, 'First')
  assert.equal((await accounts.atVersion('versions', 2)).name, 'Second')
  assert.equal(await accounts.atVersion('versions', 1), await accounts.atVersion('versions', 1))
  await assert.rejects(accounts.atVersion('versions', 3), /version 3/)
})

test('a removed store remains for deliveries of older versions', async () => {
  await applyAccount(elsewhere(), named('leaving'), { by: 'test' })
  await accounts.refresh()
  const fitzroy = (await accounts.find('leaving'))!.account.storeByReference.get('fitzroy')!
  await applyAccount(
    elsewhere(),
    named('leaving', {
      stores: demo.stores.filter((store: { reference: string }) => store.reference !== 'fitzroy'),
    }),
    { by: 'test' },
  )
  await accounts.refresh()
  assert.equal((await accounts.find('leaving'))!.account.storeById.has(fitzroy.id), false)

  const fresh = makeAccountDirectory({ db: database.pool, log })
  assert.equal((await fresh.atVersion('leaving', 1)).storeById.get(fitzroy.id)?.reference, 'fitzroy')
})

test('a removed carrier is known by its last version, also after a restart', async () => {
  const renamed = demo.carriers.map((carrier: object) => ({ ...carrier, name: 'Renamed' }))
  for (const carriers of [demo.carriers, renamed, renamed.slice(0, 1), []])
    await applyAccount(elsewhere(), named('left', { carriers }), { by: 'test' })
  await database.pool.query(`update account_versions set carriers = null where account_id = 'left'`)
  await applyAccount(elsewhere(), named('left', { carriers: renamed.slice(0, 1) }), { by: 'test' })
  const started = makeAccountDirectory({ db: database.pool, log })
  await accounts.refresh()
  await started.refresh()
  for (const directory of [accounts, started]) {
    const { removedCarriers } = (await directory.find('left'))!
    assert.deepEqual(
      [...removedCarriers.values()].map(({ provider, name }) => [provider, name]),
      [
        ['big_haul', 'Renamed'],
        ['southern_parcels', 'Renamed'],
      ],
    )
  }
})

test('an unreadable document leaves the last good version in use', async () => {
  await applyAccount(elsewhere(), named('spoilt'), { by: 'test' })
  await accounts.refresh()
  await database.pool.query(
    `insert into account_versions (account_id, version, document, applied_by) values ('spoilt', 2, '{"tenant_id": 1}', 'test')`,
  )
  await database.pool.query(
    `update accounts set version = 2, revision = revision + 1 where account_id = 'spoilt'`,
  )
  await accounts.refresh()
  assert.equal((await accounts.find('spoilt'))?.account.version, 1)
})

test('a sandbox clock runs on from where it was set, and can be reset', async () => {
  await applyAccount(elsewhere(), named('timed'), { by: 'test' })
  await accounts.refresh()
  let woken = 0
  const deps = { db: database.pool, accounts, wake: () => void woken++ }
  const christmas = Date.parse('2026-12-25T00:00:00Z')

  await setAccountClock(deps, 'timed', christmas)
  assert.equal(woken, 1)
  const moved = (await accounts.find('timed'))!.nowMs() - christmas
  assert.ok(moved >= 0 && moved < 60_000, `${moved} ms after it was set`)

  for (const nowMs of [0, Date.UTC(2024, 11, 31), Date.UTC(2030, 11, 31), Number.NaN, 8.64e15]) {
    await assert.rejects(setAccountClock(deps, 'timed', nowMs), { code: 'invalid_request' })
  }
  await setAccountClock(deps, 'timed', null)
  assert.equal((await accounts.find('timed'))!.clockOffsetMs, 0)
})

test('a live account uses the wall clock, even if it had a sandbox clock', async () => {
  await applyAccount(elsewhere(), named('going-live'), { by: 'test' })
  await accounts.refresh()
  const deps = { db: database.pool, accounts, wake: () => {} }
  await setAccountClock(deps, 'going-live', Date.UTC(2030, 0, 1))
  await database.pool.query(
    `insert into carrier_outages (account_id, provider, started_at, due_at)
     values ('going-live', 'swiftly', '2030-01-01', '2030-01-01')`,
  )
  await applyAccount(elsewhere(), named('going-live', { mode: 'live' }), { by: 'test' })
  await accounts.refresh()
  assert.equal((await accounts.find('going-live'))!.clockOffsetMs, 0)
  const { rows } = await database.pool.query<{ due_at: number }>('select due_at from carrier_outages')
  assert.ok(rows[0] && rows[0].due_at <= Date.now(), 'its due time moved back with the clock')
  await assert.rejects(setAccountClock(deps, 'going-live', Date.UTC(2030, 0, 1)), {
    code: 'capability_disabled',
  })
})

test('changes are received again after all connections were cut', async () => {
  await applyAccount(elsewhere(), named('survivor'), { by: 'test' })
  await accounts.refresh()
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await admin.end()
  // The pool may not have noticed yet that all its connections are dead.
  await retryWhileUnavailable(async () => {
    await applyAccount(elsewhere(), named('survivor', { name: 'After' }), { by: 'test' })
  })
  await until(async () => (await accounts.find('survivor'))?.account.name === 'After')
})

test('a refresh requested during another one reads again', async () => {
  await applyAccount(elsewhere(), named('asked'), { by: 'test' })
  const first = accounts.refresh()
  const applied = applyAccount(elsewhere(), named('asked', { name: 'Later' }), { by: 'test' })
  await first
  await applied
  await Promise.all([accounts.refresh(), accounts.refresh()])
  assert.equal((await accounts.find('asked'))?.account.name, 'Later')
})

test('a starting process waits for the database', async (t) => {
  let cuts = 2
  const query = (...args: Parameters<pg.Pool['query']>) => {
    if (cuts-- > 0) return Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' }))
    return database.pool.query(...args)
  }
  const late = makeAccountDirectory({ db: Object.assign(Object.create(database.pool), { query }), log })
  await late.start()
  t.after(() => late.stop())
  assert.ok(late.list().length > 0)
})

/** A directory of its own, and the statements that it sends, by name or first words. */
function spied(t: test.TestContext, options: { maxDocumentBytes?: number } = {}) {
  const sent: string[] = []
  const query = (...args: Parameters<pg.Pool['query']>) => {
    const [asked] = args as unknown as [string | { name?: string; text: string }]
    sent.push(typeof asked === 'string' ? asked : (asked.name ?? asked.text))
    return database.pool.query(...args)
  }
  const db = Object.assign(Object.create(database.pool), { query }) as pg.Pool
  const directory = makeAccountDirectory({ db, log, ...options })
  t.after(() => directory.stop())
  const documentsRead = () => sent.filter((text) => /select document/.test(text)).length
  return { directory, sent, documentsRead }
}

test('a process starts without reading a document, and loads an account once when it is needed', async (t) => {
  for (const name of ['lazy-a', 'lazy-b']) await applyAccount(elsewhere(), named(name), { by: 'test' })
  const { directory, sent, documentsRead } = spied(t)
  await directory.refresh()
  assert.deepEqual(sent, ['read-accounts-digest', 'list-account-heads'])
  assert.equal(directory.head('lazy-a')?.mode, 'sandbox')
  assert.ok(Math.abs(directory.nowMs('lazy-a') - Date.now()) < 60_000)

  const found = await Promise.all(Array.from({ length: 5 }, () => directory.find('lazy-a')))
  assert.equal(documentsRead(), 1)
  assert.equal(new Set(found).size, 1)
  assert.equal(directory.find('lazy-a'), found[0], 'at once, without a promise')
  assert.equal(directory.find('nobody'), null)
  assert.equal(documentsRead(), 1)
})

test('accounts that were not used lately are evicted, and are current when they are loaded again', async (t) => {
  for (const name of ['kept-a', 'kept-b', 'kept-c']) {
    await applyAccount(elsewhere(), named(name), { by: 'test' })
  }
  const bytes = JSON.stringify(named('kept-a')).length
  const { directory, documentsRead } = spied(t, { maxDocumentBytes: Math.floor(2.5 * bytes) })
  await directory.refresh()
  const first = await directory.find('kept-a')
  await directory.find('kept-b')
  await directory.find('kept-c')
  assert.equal(documentsRead(), 3)
  await applyAccount(elsewhere(), named('kept-a', { name: 'Renamed' }), { by: 'test' })
  await directory.refresh()
  assert.equal(documentsRead(), 3, 'an account that is not needed is not read')
  assert.equal((await directory.find('kept-a'))?.account.name, 'Renamed')
  assert.notEqual(first?.account.name, 'Renamed')
  assert.ok(directory.find('kept-b') instanceof Promise)
})

test('an account that changes while it is being loaded is loaded again', async (t) => {
  await applyAccount(elsewhere(), named('raced'), { by: 'test' })
  const { directory } = spied(t)
  await directory.refresh()
  const loading = directory.find('raced')
  await applyAccount(elsewhere(), named('raced', { name: 'Renamed' }), { by: 'test' })
  await directory.refresh()
  await loading
  assert.equal((await directory.find('raced'))?.account.name, 'Renamed')
})

test('after a change only the accounts that changed are listed', async (t) => {
  await applyAccount(elsewhere(), named('listed'), { by: 'test' })
  await database.pool.query(
    `update accounts set updated_at = now() - interval '1 hour' where account_id <> 'listed'`,
  )
  const { directory, sent } = spied(t)
  await directory.refresh()
  await directory.refresh()
  assert.deepEqual(sent.splice(0), ['read-accounts-digest', 'list-account-heads', 'read-accounts-digest'])
  await applyAccount(elsewhere(), named('listed', { name: 'Renamed' }), { by: 'test' })
  await directory.refresh()
  assert.deepEqual(sent.splice(0), ['read-accounts-digest', 'list-account-heads'])
  // A transaction that was open for an hour: the time of its change is an hour ago.
  await database.pool.query(
    `update accounts set revision = revision + 1, clock_offset_ms = 1, updated_at = now() - interval '1 hour' where account_id = 'listed'`,
  )
  await directory.refresh()
  assert.deepEqual(sent, ['read-accounts-digest', 'list-account-heads', 'list-account-heads'])
  assert.equal(directory.head('listed')?.clockOffsetMs, 1)
})

test('a process that starts after an unreadable document uses the last good version', async (t) => {
  await applyAccount(elsewhere(), named('upgraded', { name: 'Good' }), { by: 'test' })
  await database.pool.query(
    `insert into account_versions (account_id, version, document, applied_by) values ('upgraded', 2, '{"tenant_id": 1}', 'test')`,
  )
  await database.pool.query(
    `update accounts set version = 2, revision = revision + 1 where account_id = 'upgraded'`,
  )
  const { directory } = spied(t)
  await directory.refresh()
  assert.equal((await directory.find('upgraded'))?.account.name, 'Good')
})

test('an account without any readable document is not found, and is not read again for each request', async (t) => {
  await database.pool.query(
    `insert into accounts (account_id, version, mode) values ('unreadable', 1, 'sandbox')`,
  )
  await database.pool.query(
    `insert into account_versions (account_id, version, document, applied_by) values ('unreadable', 1, '{"tenant_id": 1}', 'test')`,
  )
  const { directory, documentsRead } = spied(t)
  await directory.refresh()
  assert.equal(await directory.find('unreadable'), null)
  assert.equal(await directory.find('unreadable'), null)
  assert.equal(documentsRead(), 1)
})

test('while the database is away, accounts in memory are found and the others fail', async (t) => {
  for (const name of ['near', 'far']) await applyAccount(elsewhere(), named(name), { by: 'test' })
  const { directory } = spied(t)
  await directory.refresh()
  await directory.find('near')
  const away = t.mock.method(database.pool, 'query', () =>
    Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' })),
  )
  assert.equal((await directory.find('near'))?.account.id, 'near')
  await assert.rejects(async () => directory.find('far'), { code: '57P01' })
  away.mock.restore()
  assert.equal((await directory.find('far'))?.account.id, 'far')
})
