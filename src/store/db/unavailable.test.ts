import assert from 'node:assert/strict'
import test from 'node:test'
import { emptyDatabase, testDatabase } from '../../../test/database.ts'
import { makePool, withTransaction } from './pool.ts'
import { isUnavailable } from './unavailable.ts'

const withCode = (code: string, words = 'some words') => Object.assign(new Error(words), { code })

test('an unavailable, full or slow database is distinguished from a bug', () => {
  const cases: [unknown, boolean][] = [
    [withCode('ECONNREFUSED'), true],
    [withCode('57P01'), true],
    [withCode('57P03'), true],
    [withCode('57014'), true],
    [withCode('53100'), true],
    [withCode('53300'), true],
    [withCode('08006'), true],
    [withCode('23505'), false],
    [withCode('40001'), true],
    [withCode('40P01'), true],
    [withCode('55006'), false],
    [withCode('42P01'), false],
    [withCode('XX000'), false],
    [withCode('XX000', 'failure on connection marked as essential: 10.0.0.11:5432'), true],
    [withCode('XX000', 'server closed the connection unexpectedly'), true],
    [withCode('XX000', 'failed to COPY to shard 102008 on 10.0.0.11:5432'), true],
    [new Error('Connection terminated unexpectedly'), true],
    [new Error('timeout exceeded when trying to connect'), true],
    [new Error('Query read timeout'), true],
    [new Error('Connection refused by the customer'), false],
    [new Error('reading', { cause: withCode('57P02') }), true],
    [new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]), true],
    ['ECONNREFUSED', false],
    [null, false],
  ]
  for (const [error, expected] of cases) assert.equal(isUnavailable(error), expected, String(error))
})

test('a deadlock or a closed database is reported as temporary', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query('create table seats (seat int primary key); insert into seats values (1), (2)')
  const seated = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sit = (first: number, second: number) =>
    withTransaction(pool, async (db) => {
      await db.query('select 1 from seats where seat = $1 for update', [first])
      seated[first - 1]?.resolve()
      await Promise.all(seated.map(({ promise }) => promise))
      await db.query('select 1 from seats where seat = $1 for update', [second])
    }).then(
      () => null,
      (error: unknown) => error,
    )
  const lost = (await Promise.all([sit(1, 2), sit(2, 1)])).filter((error) => error !== null)
  assert.equal(lost.length, 1)
  assert.equal((lost[0] as { code: string }).code, '40P01')
  assert.ok(isUnavailable(lost[0]))

  const { rows } = await pool.query('select current_database() as name')
  await emptyDatabase(t).then(({ pool }) =>
    pool.query(`alter database ${rows[0].name} allow_connections false`),
  )
  const other = makePool(url, { max: 1, applicationName: 'late' })
  t.after(() => other.end())
  const closed = await other.query('select 1').catch((error: unknown) => error)
  assert.equal((closed as { code: string }).code, '55000')
  assert.ok(isUnavailable(closed))
})
