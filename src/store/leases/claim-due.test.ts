import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { makeClaimer } from './claim-due.ts'
import { QUARANTINE_SLOTS } from './poison-row-quarantine.ts'

const SIZE = { limit: 3, leaseMs: 30_000, suspects: QUARANTINE_SLOTS }
const COLUMNS = `account_id text not null, job text not null, due_at timestamptz, lease_until timestamptz,
  fence bigint not null default 0, claims int not null default 0, primary key (account_id, job)`

async function jobs(t: test.TestContext) {
  const { pool } = await testDatabase(t)
  await pool.query(`create table jobs (${COLUMNS})`)
  await pool.query(`insert into jobs (account_id, job, due_at)
    select account, account || n, '2026-11-24T00:00Z'::timestamptz + n * interval '1 hour'
    from generate_series(1, 4) as n, unnest(array['a', 'b']) as account`)
  const claim = makeClaimer<{ job: string; fence: string; claims: number }>({
    name: 'claim-jobs',
    table: 'jobs',
    as: 'j',
    key: ['job'],
    columns: 'j.job, j.fence, j.claims',
  })
  const at = (clock: string) => Date.parse(`2026-11-24T${clock}:00Z`)
  return { pool, claim, at }
}

test('rows are claimed by their account’s clock, oldest first', async (t) => {
  const { pool, claim, at } = await jobs(t)
  const nows = { accountIds: ['b', 'a'], nowsMs: [at('02:30'), at('04:30')] }
  const namesOf = async () => (await claim(pool, nows, SIZE)).map(({ job }) => job).sort()
  assert.deepEqual(await namesOf(), ['a1', 'b1', 'b2'])
  assert.deepEqual(await namesOf(), ['a2', 'a3', 'a4'])
  assert.deepEqual(await namesOf(), [], 'whatever is leased, or not yet due, is left')
  assert.deepEqual(await claim(pool, { accountIds: [], nowsMs: [] }, SIZE), [])
})

test('a claim takes the next fencing token; when the lease expires, another worker may claim', async (t) => {
  const { pool, claim, at } = await jobs(t)
  const nows = { accountIds: ['a'], nowsMs: [at('01:30')] }
  assert.deepEqual(await claim(pool, nows, SIZE), [{ job: 'a1', fence: 1, claims: 1 }])
  await pool.query(`update jobs set lease_until = now() - interval '1 second' where job = 'a1'`)
  assert.deepEqual(await claim(pool, nows, SIZE), [{ job: 'a1', fence: 2, claims: 2 }])
})

test('suspected poison rows are claimed only up to the quarantine slots', async (t) => {
  const { pool, claim, at } = await jobs(t)
  await pool.query(`update jobs set claims = 7 where account_id = 'a'`)
  const nows = { accountIds: ['a'], nowsMs: [at('09:00')] }
  assert.equal((await claim(pool, nows, SIZE)).length, 1)
  assert.equal((await claim(pool, nows, { ...SIZE, suspects: [0, 0] })).length, 0)
})

test('thirty workers at once claim every row once', async (t) => {
  const { pool, claim, at } = await jobs(t)
  const nows = { accountIds: ['a', 'b'], nowsMs: [at('09:00'), at('09:00')] }
  const claims = await Promise.all(Array.from({ length: 30 }, () => claim(pool, nows, { ...SIZE, limit: 1 })))
  const names = claims.flat().map(({ job }) => job)
  assert.equal(new Set(names).size, names.length)
})

test('no other file of the store has a claim statement', () => {
  const files = globSync('src/store/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const claiming = files.filter((file) => /skip locked\) as/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(claiming, ['src/store/leases/claim-due.ts'])
})
