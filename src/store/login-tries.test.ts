import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/database.ts'
import { countTries, forgiveTries } from './login-tries.ts'

const WINDOW_MS = 900_000

test('a success forgives its own tries, and takes one from those that others share', async (t) => {
  const { pool } = await testDatabase(t)
  const [own, shared] = [Buffer.from('own'), Buffer.from('shared')]
  for (let tries = 0; tries < 3; tries++) await countTries(pool, [own, shared], WINDOW_MS)
  await forgiveTries(pool, own, shared)
  const counted = await countTries(pool, [own, shared], WINDOW_MS)
  assert.deepEqual(
    counted.map(({ tries }) => tries),
    [1, 3],
  )
})

test('who counts and who forgives at once never hold what the other wants', async (t) => {
  const { pool } = await testDatabase(t)
  const [a, b] = [Buffer.from('a'), Buffer.from('b')]
  await Promise.all(
    Array.from({ length: 8 }, async (_, nth) => {
      for (let round = 0; round < 60; round++) {
        await countTries(pool, [a, b], WINDOW_MS)
        await (nth % 2 === 0 ? forgiveTries(pool, a, b) : forgiveTries(pool, b, a))
      }
    }),
  )
})
