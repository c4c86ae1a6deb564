import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { testDatabase } from '../database.ts'

/** Tables of the schema, which belong to no account. */
const OF_NO_ACCOUNT = ['schema_migrations']

test('every key of every table starts with the account', async (t) => {
  const { pool } = await testDatabase(t)
  const keys = await keysOf(pool)
  assert.ok(keys.length > 40, `${keys.length} keys`)
  assert.deepEqual(
    keys.filter(({ columns }) => columns[0] !== 'account_id').map(({ name }) => name),
    [],
  )
  await pool.query('create unique index planted on deliveries (reference)')
  const [planted] = (await keysOf(pool)).filter(({ name }) => name === 'planted')
  assert.deepEqual(planted?.columns, ['reference'], 'the query finds a key without the account')
})

test('no row refers to another account: every foreign key includes the account', async (t) => {
  const { pool } = await testDatabase(t)
  const references = await foreignKeysOf(pool)
  assert.ok(references.length > 30, `${references.length} foreign keys`)
  for (const { name, columns, foreign } of references) {
    assert.equal(columns[foreign.indexOf('account_id')], 'account_id', name)
  }
})

test('every table has an account column', async (t) => {
  const { pool } = await testDatabase(t)
  const { rows } = await pool.query<{ table: string }>(`
    select t.relname as table from pg_class t
    where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace
      and not exists (select from pg_attribute where attrelid = t.oid and attname = 'account_id' and attnotnull)`)
  assert.deepEqual(
    rows.map(({ table }) => table),
    OF_NO_ACCOUNT,
  )
})

type Key = { name: string; columns: string[] }

/** Primary keys and unique indexes, in the order of their columns; an expression does not count as a column. */
async function keysOf(pool: pg.Pool): Promise<Key[]> {
  const { rows } = await pool.query<Key>(
    `select i.relname as name, array(
       select coalesce(a.attname::text, '')
       from unnest(x.indkey::int2[]) with ordinality as k (attnum, place)
       left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum
       order by k.place) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace and not t.relname = any ($1)`,
    [OF_NO_ACCOUNT],
  )
  return rows
}

async function foreignKeysOf(pool: pg.Pool): Promise<(Key & { foreign: string[] })[]> {
  const names = (table: string, columns: string) => `array(
    select a.attname::text from unnest(${columns}) with ordinality as k (attnum, place)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.attnum order by k.place)`
  const { rows } = await pool.query<Key & { foreign: string[] }>(
    `select conname as name, ${names('conrelid', 'conkey')} as columns, ${names('confrelid', 'confkey')} as foreign
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  return rows
}
