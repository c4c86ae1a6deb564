import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { distribute, findCitus, isDistributed } from './distribute.ts'
import { readMigrations } from './migrations.ts'

const ON_CITUS = (process.env.CITUS_WORKERS ?? '') !== ''

test('without Citus nothing is distributed, and the message says what is missing', {
  skip: ON_CITUS,
}, async (t) => {
  const { url, pool } = await testDatabase(t)
  await assert.rejects(
    distribute(url),
    /The database does not have the Citus extension\. Run `create extension citus` on every node/,
  )
  assert.equal(await findCitus(pool), null)
  assert.equal(await isDistributed(pool), false)
})

test('every account table is distributed by account_id, and the audit log stays append-only', {
  skip: !ON_CITUS,
}, async (t) => {
  const { url, pool } = await testDatabase(t)
  assert.equal(await isDistributed(pool), true)
  const { rows } = await pool.query<{ table: string; column: string; groups: number }>(
    `select table_name::text as table, distribution_column as column, count(colocation_id) over ()::int as groups
     from citus_tables where citus_table_type = 'distributed'`,
  )
  assert.ok(rows.length > 50)
  assert.deepEqual(new Set(rows.map(({ column }) => column)), new Set(['account_id']))
  assert.deepEqual(await distribute(url), [], 'a second time there is nothing left')
  await pool.query(
    `insert into audit_log (account_id, audit_id, actor_kind, actor, action) values ('a', 'aud_1', 'operator', 'x', 'y')`,
  )
  await assert.rejects(pool.query(`update audit_log set action = 'z' where account_id = 'a'`), /append-only/)
  await assert.rejects(pool.query(`delete from audit_log where account_id = 'a'`), /append-only/)
})

test('no migration both creates a table and adds a foreign key, because Citus distributes the table in between', async () => {
  const LAST_BEFORE = 57
  for (const { name, version, sql } of await readMigrations()) {
    if (version <= LAST_BEFORE) continue
    const text = sql.replaceAll(/^\s*--.*$/gm, '')
    assert.ok(!(/create table/i.test(text) && /\breferences\b/i.test(text)), name)
  }
})

test('the audit log’s triggers fire for each row', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(
    `insert into audit_log (account_id, audit_id, actor_kind, actor, action) values ('a', 'aud_1', 'operator', 'x', 'y')`,
  )
  await assert.rejects(pool.query(`update audit_log set action = 'z'`), /append-only/)
  await assert.rejects(pool.query('truncate audit_log'), /append-only/)
})
