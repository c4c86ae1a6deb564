import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noneInFlight } from '../operations/concurrency/in-flight.ts'
import { countedSource } from './counted-source.ts'

test('rows are in flight from their claim to the end of their work, however it ends', async () => {
  const inFlight = noneInFlight()
  const { promise, resolve } = Promise.withResolvers<void>()
  const source = countedSource(
    {
      name: 'rows',
      concurrency: 3,
      claim: async () => ['a', 'a', 'b'],
      run: async ([account]) => {
        await promise
        if (account === 'b') throw new Error('a bug')
      },
    },
    inFlight,
    (account) => account,
  )
  const counts = () => ['a', 'b', 'c'].map(inFlight.of)
  const rows = await source.claim(3, [], false)
  assert.deepEqual(counts(), [2, 1, 0])
  const first = source.run(rows.slice(0, 2))
  const second = source.run(rows.slice(2))
  assert.deepEqual(counts(), [2, 1, 0])
  resolve()
  await first
  await assert.rejects(second, /a bug/)
  assert.deepEqual(counts(), [0, 0, 0])
})
