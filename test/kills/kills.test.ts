import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closingTable, figuresOf } from '../chaos/closing-table.ts'
import { runChaos } from '../chaos/run.ts'
import { killProfile } from './profile.ts'

const SEED = 20_261_124
const JOBS = 64
const SECONDS = 20
/** The shortest lease that is allowed, so that another worker takes over sooner. */
const LEASE_MS = 13_000

test('processes die every second: no acknowledged write is lost, nothing is booked twice, all work ends', async (t) => {
  const result = await runChaos({
    seed: SEED,
    profile: killProfile({ seed: SEED, jobs: JOBS, seconds: SECONDS, leaseMs: LEASE_MS, freezeMs: null }),
    plan: { seconds: SECONDS },
    seededBugs: [],
    database: { kind: 'embedded' },
    onProgress() {},
  })
  const figures = figuresOf(result)
  t.diagnostic(closingTable(figures))
  assert.deepEqual(result.breaches, [])
  const { jobs, deliveries } = result.evidence
  assert.equal(jobs.length, JOBS)
  assert.equal(deliveries.length, jobs.filter(({ invalid }) => !invalid).length)
  // Whether a kill also cuts a call to a carrier is chance. `npm run kills` has hundreds of kills, and crash-points.test.ts
  // stops at each step of a booking.
  assert.ok(figures.killsInFlight > 0, 'no kill hit work in flight: the run proves nothing')
})
