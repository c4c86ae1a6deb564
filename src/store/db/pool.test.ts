import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { makePool, withTransaction } from './pool.ts'

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

test('a transaction that finds its prepared statement outdated by a migration fails once', async (t) => {
  const { url } = await testDatabase(t)
  const pool = makePool(url, { max: 1, applicationName: 'outdated' })
  t.after(() => pool.end())
  await pool.query('create table prices (cents integer)')
  const read = () =>
    withTransaction(pool, (client) => client.query({ name: 'read-prices', text: 'select * from prices' }))
  await read()
  const migration = makePool(url, { max: 1, applicationName: 'migration' })
  await migration.query('alter table prices alter cents type bigint')
  await migration.end()
  await assert.rejects(read(), /cached plan must not change result type/)
  assert.equal((await read()).rowCount, 0)
})
