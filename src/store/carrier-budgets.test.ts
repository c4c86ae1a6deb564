import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/database.ts'
import { takeFromBudget } from './carrier-budgets.ts'

test('a limit is kept by all who share it, and is told when the next request is free', async (t) => {
  const { pool } = await testDatabase(t)
  await pool.query(`insert into accounts (account_id, version, mode) values ('demo', 1, 'sandbox')`)
  const limit = { name: 'track', most: 10, perMs: 60_000 }
  const waits = await Promise.all(Array.from({ length: 25 }, () => takeFromBudget(pool, 'demo', limit)))
  assert.equal(waits.filter((wait) => wait === 0).length, 10)
  for (const wait of waits) assert.ok(wait === 0 || (wait > 30_000 && wait <= 60_000), `${wait}`)

  assert.equal(await takeFromBudget(pool, 'demo', { ...limit, name: 'another' }), 0)
  // What was asked longer ago than the period counts no more.
  await pool.query(
    `update carrier_budgets set taken[1] = now() - interval '61 s', taken[2] = now() - interval '61 s' where name = 'track'`,
  )
  const again = await Promise.all(Array.from({ length: 5 }, () => takeFromBudget(pool, 'demo', limit)))
  assert.equal(again.filter((wait) => wait === 0).length, 2)
})
