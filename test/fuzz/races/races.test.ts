import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcessSystem } from '../in-process-target.ts'
import { RACES, type RaceName, runRaces } from './run-races.ts'

const OF_EACH = 8

/** Ten thousand of each, over two processes: `npm run fuzz -- races`. */
test('of concurrent requests for the same thing one succeeds, and the others get the documented error', async (t) => {
  const { system } = await inProcessSystem(t)
  for (const name of Object.keys(RACES) as RaceName[]) {
    const { wrong, ends } = await runRaces(system, name, { seed: 7, count: OF_EACH })
    assert.deepEqual(wrong, [], name)
    assert.equal(
      [...ends.values()].reduce((sum, count) => sum + count),
      OF_EACH,
    )
  }
})
