import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../database.ts'
import { closingTable } from './closing-table.ts'
import { type KillOptions, runKills } from './run.ts'

const SEED = 20_261_124
/** The shortest lease that is allowed, so that another worker takes over sooner. */
const LEASE_MS = 13_000

test('processes die every second: no acknowledged write is lost, nothing is booked twice, all work ends', async (t) => {
  const options: KillOptions = {
    database: await testDatabase(),
    seed: SEED,
    jobs: 64,
    seconds: 20,
    leaseMs: LEASE_MS,
    freezeMs: null,
    seededBugs: [],
    restPatienceMs: 60_000,
  }
  const result = await runKills(options)
  t.diagnostic(closingTable(options, result))
  assert.deepEqual(result.breaches, [])
  assert.equal(result.acknowledged, 64)
  assert.ok(result.cut.book! > 0, 'no kill hit a call: the run proves nothing')
})
