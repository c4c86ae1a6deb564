import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { countAttempts, refundAttempts } from './login-attempts.ts'

const WINDOW_MS = 900_000

test('an attempt counts for both names; a success clears its own and refunds the shared one', async (t) => {
  const { pool } = await testDatabase(t)
  const names = [Buffer.from('own'), Buffer.from('shared')] as const
  const count = async () => (await countAttempts(pool, names, WINDOW_MS)).map(({ attempts }) => attempts)
  for (let tries = 0; tries < 3; tries++) await count()
  await refundAttempts(pool, names, 'own')
  assert.deepEqual(await count(), [3, 3])
  await refundAttempts(pool, names, 'all')
  assert.deepEqual(await count(), [1, 3])
})

test('counting and refunding attempts at once cannot deadlock', async (t) => {
  const { pool } = await testDatabase(t)
  const [a, b] = [Buffer.from('a'), Buffer.from('b')]
  await Promise.all(
    Array.from({ length: 8 }, async (_, nth) => {
      for (let round = 0; round < 60; round++) {
        await countAttempts(pool, [a, b], WINDOW_MS)
        await refundAttempts(pool, nth % 2 === 0 ? [a, b] : [b, a], round % 2 === 0 ? 'all' : 'own')
      }
    }),
  )
})
