import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { testDatabase } from '../database.ts'
import { type KillOptions, type KillResult, runKills } from './run.ts'
import { closingTable } from './say.ts'

const SEED = 20_261_124
/** As short as a lease may be: who dies is taken over from sooner. */
const LEASE_MS = 13_000

suite('processes that die every second', { concurrency: true }, () => {
  test('nothing acknowledged is lost, nothing is booked twice, all comes to an end', async (t) => {
    const result = await run(t, { jobs: 64, seconds: 20 })
    assert.deepEqual(result.breaches, [])
    assert.equal(result.acknowledged, 64)
    assert.ok(result.cut.book! > 0, 'no kill hit a call: the run proves nothing')
  })

  test('the same harness finds the bugs that are planted, carrier by carrier', async (t) => {
    const plants = ['new_key_each_try', 'look_up_at_once', 'silence_means_no'] as const
    const result = await run(t, { jobs: 24, seconds: 3, restPatienceMs: 10_000, plants })
    const doubledAt = new Set(result.doubled.map(({ carrier }) => carrier))
    assert.deepEqual([...doubledAt].sort(), ['big_haul', 'southern_parcels', 'swiftly'])
  })

  test('without an intent before the call, what was cut is booked again', async (t) => {
    const result = await run(t, { jobs: 24, seconds: 4, restPatienceMs: 12_000, plants: ['no_intent'] })
    assert.ok(result.doubled.length > 0)
  })
})

async function run(t: TestContext, choice: Partial<KillOptions>): Promise<KillResult> {
  const options: KillOptions = {
    database: await testDatabase(),
    seed: SEED,
    jobs: 64,
    seconds: 20,
    leaseMs: LEASE_MS,
    freezeMs: null,
    plants: [],
    restPatienceMs: 60_000,
    ...choice,
  }
  const result = await runKills(options)
  t.diagnostic(closingTable(options, result))
  return result
}
