import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { endQuotaTurn, takeFromQuota } from './carrier-quotas.ts'

test('processes share a carrier’s rate limit and learn when the next request is free', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(`insert into accounts (account_id, version, mode) values ('demo', 1, 'sandbox')`)
  const limit = { name: 'track', max: 10, perMs: 60_000 }
  const take = async (of = limit) => (await takeFromQuota(pool, 'demo', of)).waitMs
  const waits = await Promise.all(Array.from({ length: 25 }, () => take()))
  assert.equal(waits.filter((wait) => wait === 0).length, 10)
  for (const wait of waits) assert.ok(wait === 0 || (wait > 30_000 && wait <= 60_000), `${wait}`)

  assert.equal(await take({ ...limit, name: 'another' }), 0)
  // What was asked longer ago than the period counts no more.
  await pool.query(
    `update carrier_quotas set request_times[1] = now() - interval '61 s', request_times[2] = now() - interval '61 s' where name = 'track'`,
  )
  const again = await Promise.all(Array.from({ length: 5 }, () => take()))
  assert.equal(again.filter((wait) => wait === 0).length, 2)
})

test('a request counts towards the rate limit from its end, because it may reach the carrier only then', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(`insert into accounts (account_id, version, mode) values ('demo', 1, 'sandbox')`)
  const limit = { name: 'track', max: 1, perMs: 60_000 }
  const { startedAt } = await takeFromQuota(pool, 'demo', limit)
  assert.ok(startedAt)
  // It was on its way for longer than the period.
  const { rows } = await pool.query<{ startedAt: string }>(
    `select (request_times[1] - interval '61 s')::text as "startedAt" from carrier_quotas`,
  )
  await pool.query('update carrier_quotas set request_times = array[$1::timestamptz]', [rows[0]!.startedAt])
  await endQuotaTurn(pool, 'demo', 'track', rows[0]!.startedAt)
  assert.equal((await takeFromQuota(pool, 'demo', limit)).startedAt, null)
})
