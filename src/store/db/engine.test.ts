import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pool } from 'pg'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { ON_CITUS } from '../../../test/database.ts'
import { until } from '../../../test/wait-until.ts'
import { publishEveryAccount, publishMarks } from '../../operations/events/publish-committed.ts'
import { takeFromQuota } from '../carriers/carrier-quotas.ts'
import { readStateFigures } from '../housekeeping/state-figures.ts'
import { setEngine } from './engine.ts'
import { makePool } from './pool.ts'
import { purgeExpired } from './purge-expired.ts'

test('the Citus forms of the statements also work on PostgreSQL: a delivery is booked, published and counted', {
  skip: ON_CITUS && 'on Citus, every test uses these statements',
}, async (t) => {
  const { call, fixture } = await testApi(t)
  const { db } = fixture.deps
  setEngine(db, 'citus')
  const body = deliveryBody({ reference: 'A-1' })
  const key = { 'idempotency-key': 'key-of-a-1' }
  const { json: created } = await call('POST /demo/deliveries', { body, headers: key })
  const again = await call('POST /demo/deliveries', { body, headers: key })
  assert.equal(again.json.data.id, created.data.id)
  await fixture.setClock(Date.parse(created.data.from_datetime))
  await until(async () => {
    const { json } = await call('GET /demo/events')
    const types = json.data.map(({ type }: { type: string }) => type)
    return (
      types.includes('delivery.booked') &&
      types.indexOf('delivery.created') < types.indexOf('delivery.booked')
    )
  }, 'the feed has the booking after the creation')

  await fixture.parts.runner.stop(10_000)
  const countsOf = async (pool: Pool) =>
    (await readStateFigures(pool))
      .filter(({ figure, value }) => !figure.endsWith('_s') && value > 0)
      .map(({ figure, mode, name, value }) => `${figure} ${mode} ${name} ${value}`)
      .sort()
  const plain = makePool(fixture.databaseUrl, { max: 1, applicationName: 'drover test' })
  t.after(() => plain.end())
  const onCitus = await countsOf(db)
  assert.deepEqual(onCitus, await countsOf(plain))
  assert.ok(onCitus.includes('deliveries sandbox booked 1'), onCitus.join('\n'))
})

test('Citus’ forms of a rate limit and of purging keep their bounds', async (t) => {
  const { fixture } = await testApi(t, { work: false })
  const { db } = fixture.deps
  setEngine(db, 'citus')
  const limit = { name: 'quotes', max: 2, perMs: 60_000 }
  assert.equal((await takeFromQuota(db, 'demo', limit)).waitMs, 0)
  assert.equal((await takeFromQuota(db, 'demo', limit)).waitMs, 0)
  const { waitMs } = await takeFromQuota(db, 'demo', limit)
  assert.ok(waitMs > 50_000 && waitMs <= 60_001, String(waitMs))
  await db.query(
    `insert into idempotency_keys (account_id, key, fingerprint, locked_until, created_at)
     select 'demo', 'key-' || n, '', now(), now() - n * interval '1 hour' from unnest(array[1, 71, 73, 74, 100]) as n`,
  )
  assert.equal(await purgeExpired(db, 'idempotency_keys', '72 hours', 2), 2)
  assert.equal(await purgeExpired(db, 'idempotency_keys', '72 hours', 2), 1)
  assert.equal(await purgeExpired(db, 'idempotency_keys', '72 hours', 2), 0)
})

test('on Citus, only accounts with events are asked to publish, and again only those that were not done', async () => {
  const asked: string[] = []
  const query = async ({ name, values }: { name: string; values?: string[] }) => {
    if (name === 'find-unpublished-accounts') return { rows: [{ account_id: 'a' }, { account_id: 'b' }] }
    if (name === 'find-highest-position') return { rows: [{ last_value: 9 }] }
    const accountId = values?.[0] ?? ''
    const isHeld = accountId === 'b' && !asked.includes('b')
    asked.push(accountId)
    return { rows: [{ count: isHeld ? 0 : 1, isDone: !isHeld }] }
  }
  const db = { query, on() {} } as unknown as Pool
  setEngine(db, 'citus')
  const marks = { ...publishMarks(), wholeAtMs: Number.POSITIVE_INFINITY }
  assert.equal(await publishEveryAccount({ db, publishMarks: marks }, ['a', 'b', 'c', 'd']), 2)
  assert.deepEqual(asked, ['a', 'b', 'b'])
})
