import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { makePool } from './pool.ts'

test('a lost connection is reported, unless the pool itself is ending', async () => {
  const { url } = await testDatabase()
  const reported: string[] = []
  const pool = makePool(url, {
    max: 1,
    applicationName: 'drover test',
    onError: ({ message }) => reported.push(message),
  })
  const lost = (words: string) => pool.emit('error', new Error(words), null as never)
  await pool.query('select 1')
  lost('while it is used')
  const ended = pool.end()
  lost('while it ends')
  await ended
  assert.deepEqual(reported, ['while it is used'])
})
