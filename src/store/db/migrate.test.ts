import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { emptyDatabase } from '../../../test/database.ts'
import { migrate } from './migrate.ts'
import { serverVersion, tooOld } from './server-version.ts'

const drivers = '-- Drivers.\ncreate table drivers (account_id text primary key);\n'
const index = '-- no-transaction\n-- Lists.\ncreate index concurrently by_id on drivers (account_id);\n'
const files = { '0001_drivers.sql': drivers, '0002_index.sql': index }

function folderOf(t: TestContext, contents: Record<string, string>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'drover-migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, sql] of Object.entries(contents)) writeFileSync(join(folder, name), sql)
  return pathToFileURL(`${folder}/`)
}

test('each migration is applied once, in order', async (t) => {
  const { url, pool } = await emptyDatabase(t)
  const folder = folderOf(t, files)
  assert.deepEqual(await migrate(url, { folder }), { applied: ['0001_drivers.sql', '0002_index.sql'] })
  assert.deepEqual(await migrate(url, { folder }), { applied: [] })
  const { rows } = await pool.query(`select to_regclass('by_id')::text as index`)
  assert.equal(rows[0].index, 'by_id')
})

test('of several processes that start together, one migrates and the others wait', async (t) => {
  const { url } = await emptyDatabase(t)
  const slow = { ...files, '0003_slow.sql': '-- Slow.\nselect pg_sleep(0.2);' }
  const folder = folderOf(t, slow)
  const all = await Promise.all([1, 2, 3, 4].map(() => migrate(url, { folder })))
  assert.deepEqual(all.map(({ applied }) => applied.length).sort(), [0, 0, 0, 3])
})

test('a failed migration is rolled back', async (t) => {
  const { url, pool } = await emptyDatabase(t)
  const broken = { ...files, '0003_broken.sql': '-- Broken.\ncreate table half (a int);\nselect 1/0;' }
  await assert.rejects(
    migrate(url, { folder: folderOf(t, broken) }),
    /0003_broken\.sql failed: division by zero/,
  )
  const { rows } = await pool.query(
    `select to_regclass('half') as half, (select max(version) from schema_migrations) as version`,
  )
  assert.deepEqual(rows, [{ half: null, version: 2 }])
})

test('a changed or unknown migration stops the process with an explanation', async (t) => {
  const { url } = await emptyDatabase(t)
  await migrate(url, { folder: folderOf(t, files) })
  const changed = folderOf(t, { ...files, '0001_drivers.sql': `${drivers}-- more` })
  await assert.rejects(
    migrate(url, { folder: changed }),
    /0001_drivers\.sql was changed after it was applied/,
  )
  const older = folderOf(t, { '0001_drivers.sql': drivers })
  await assert.rejects(
    migrate(url, { folder: older }),
    /newer than this Drover: it has migration 0002_index\.sql/,
  )
})

test('a migration waits for a lock, a short time in each attempt', async (t) => {
  const { url, pool } = await emptyDatabase(t)
  await migrate(url, { folder: folderOf(t, files) })
  const holder = await pool.connect()
  await holder.query('begin; lock table drivers')
  setTimeout(() => holder.query('commit').then(() => holder.release()), 2_500)
  const more = { ...files, '0003_name.sql': '-- Names.\nalter table drivers add name text;' }
  assert.deepEqual(await migrate(url, { folder: folderOf(t, more) }), { applied: ['0003_name.sql'] })
})

test('without a transaction, too, a migration that waits for a lock yields to the requests behind it', async (t) => {
  const { url, pool } = await emptyDatabase(t)
  await migrate(url, { folder: folderOf(t, files) })
  const backup = await pool.connect()
  // pg_dump's lock.
  await backup.query('begin; lock table drivers in access share mode')
  const names = '-- no-transaction\n-- Names.\nalter table drivers add column if not exists name text;\n'
  const migrating = migrate(url, { folder: folderOf(t, { ...files, '0003_names.sql': names }) })
  const isWaiting = `select from pg_locks where relation = 'drivers'::regclass and not granted`
  while ((await pool.query(isWaiting)).rowCount === 0) await sleep(20)
  const request = await pool.connect()
  await request.query(`set statement_timeout = '10s'`)
  assert.equal((await request.query('select from drivers')).rowCount, 0)
  request.release(true)
  await backup.query('commit')
  backup.release()
  assert.deepEqual(await migrating, { applied: ['0003_names.sql'] })
})

test('an index that is built concurrently waits for older transactions without a limit', async (t) => {
  const { url, pool } = await emptyDatabase(t)
  await migrate(url, { folder: folderOf(t, { '0001_drivers.sql': drivers }) })
  const writer = await pool.connect()
  await writer.query('begin; lock table drivers in row exclusive mode')
  setTimeout(() => writer.query('commit').then(() => writer.release()), 2_500)
  // A second attempt would find the index half built.
  assert.deepEqual(await migrate(url, { folder: folderOf(t, files) }), { applied: ['0002_index.sql'] })
})

test('a migration that was in a deadlock is retried', async (t) => {
  const { url } = await emptyDatabase(t)
  // A sequence keeps its count after a rollback.
  const count = '-- Counts.\ncreate sequence tries;'
  const dead = `-- Dead.\ndo $$ begin
    if nextval('tries') = 1 then raise 'deadlock detected' using errcode = 'deadlock_detected'; end if;
  end $$;`
  const folder = folderOf(t, { '0001_count.sql': count, '0002_dead.sql': dead })
  assert.deepEqual(await migrate(url, { folder }), { applied: ['0001_count.sql', '0002_dead.sql'] })
})

test('PostgreSQL older than 15 is rejected before anything is written', async (t) => {
  assert.equal(tooOld({ version: '15.0', number: 150_000 }), null)
  assert.equal(tooOld({ version: '18.4', number: 180_004 }), null)
  const { url, pool } = await emptyDatabase(t)
  const { number } = await serverVersion(pool)
  assert.ok(number >= 150_000)

  // Makes the same server report another version.
  await pool.query(`create schema old;
    create function old.current_setting(name text) returns text language sql
      return case name when 'server_version_num' then '140011' else '14.11' end`)
  const { rows } = await pool.query('select current_database() as name')
  await pool.query(`alter database ${rows[0].name} set search_path = old, pg_catalog, public`)
  await assert.rejects(migrate(url), { message: 'Drover needs PostgreSQL 15 or newer; this one is 14.11.' })
  assert.deepEqual((await pool.query(`select to_regclass('public.schema_migrations') as made`)).rows, [
    { made: null },
  ])
})
