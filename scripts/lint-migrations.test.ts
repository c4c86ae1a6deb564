import assert from 'node:assert/strict'
import test from 'node:test'
import { lintMigrations } from './lint-migrations.ts'

const table = 'create table drivers (\n  account_id text not null,\n  primary key (account_id)\n);\n'
const good = {
  name: '0001_drivers.sql',
  sql: `-- Drivers of stores, as PEOPLE.\n${table}create index by_name on drivers (account_id);`,
}

test('a correct migration passes', () => {
  assert.deepEqual(lintMigrations([good]), [])
  const single = {
    ...good,
    sql: '-- The accounts themselves.\ncreate table a (account_id text primary key);',
  }
  assert.deepEqual(lintMigrations([single]), [])
})

test('each rule reports its violation', () => {
  const cases: [string, RegExp][] = [
    ['select 1;', /says why/],
    ['-- Because we must.\nSELECT 1;', /not SELECT/],
    ['-- Because we must.\nalter table drivers drop column name;', /still reads it/],
    ['-- Because we must.\nalter table drivers rename column name to label;', /rename: the release before/],
    ['-- Because we must.\nalter table drivers rename to couriers;', /rename: the release before/],
    ['-- Because we must.\nalter table drivers add n bigserial;', /identity/],
    ['-- Because we must.\ncreate table t (id text primary key, account_id text);', /primary key of t/],
    ['-- Because we must.\ncreate index by_age on drivers (account_id, age);', /concurrently/],
    [
      '-- Because we must.\ndrop index concurrently if exists by_age;\ncreate index concurrently by_age on drivers (age);',
      /no-transaction/,
    ],
    [
      '-- no-transaction\n-- Because we must.\ncreate index concurrently by_age on drivers (age);',
      /interrupted/,
    ],
  ]
  for (const [sql, complaint] of cases) {
    const complaints = lintMigrations([good, { name: '0002_next.sql', sql }])
    assert.equal(complaints.length, 1, sql)
    assert.match(complaints[0] ?? '', complaint)
  }
})

test('an index on an existing table is created outside a transaction', () => {
  const sql =
    '-- no-transaction\n-- Lists by age are slow.\ndrop index concurrently if exists by_age;\ncreate index concurrently by_age on drivers (account_id, age);'
  assert.deepEqual(lintMigrations([good, { name: '0002_age.sql', sql }]), [])
})

test('migration numbers have no gaps', () => {
  assert.match(lintMigrations([good, { ...good, name: '0003_more.sql' }]).join(), /0002_what\.sql/)
})
