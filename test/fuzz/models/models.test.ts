import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcessSystem } from '../in-process-target.ts'
import { runModels } from './run-models.ts'

/** Thousands of runs, over two processes: `npm run fuzz -- models`. */
test('the service matches its model, whatever merchants, couriers and customers do, in any order', async (t) => {
  const { system } = await inProcessSystem(t)
  const { failure, commands } = await runModels(system, { seed: 3, runs: 4, max: 25 })
  assert.equal(failure, null, failure ?? '')
  assert.ok(commands > 20, `${commands} commands`)
})
