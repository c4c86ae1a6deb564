import assert from 'node:assert/strict'
import test from 'node:test'
import { testDatabase } from './database.ts'

test('each test has its own migrated database', async (t) => {
  const one = await testDatabase(t)
  const two = await testDatabase(t)
  await one.pool.query('create table only_here (a int)')
  const { rows } = await two.pool.query(
    `select to_regclass('only_here') as absent, to_regclass('schema_migrations')::text as present, now() as now`,
  )
  assert.equal(rows[0].absent, null)
  assert.equal(rows[0].present, 'schema_migrations')
  assert.ok(Math.abs(rows[0].now - Date.now()) < 60_000)
})

test('a database is dropped when its test ends', async (t) => {
  let name = ''
  await t.test('inner', async (inner) => {
    name = new URL((await testDatabase(inner)).url).pathname.slice(1)
  })
  const { pool } = await testDatabase(t)
  const { rows } = await pool.query('select datname from pg_database where datname = $1', [name])
  assert.deepEqual(rows, [])
})
