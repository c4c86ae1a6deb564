import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody, quoteBody, testApi } from '../../../test/api.ts'
import { apiOnPool } from '../../../test/api-on-pool.ts'
import { makePool } from '../../store/db/pool.ts'

const CONNECTIONS = 3

test('without a free database connection requests get 503, quotes continue, and later all recovers', async (t) => {
  const { call: alive, fixture } = await testApi(t, { work: false })
  const created = await alive('POST /demo/deliveries', { body: deliveryBody() })
  const db = makePool(fixture.databaseUrl, { max: CONNECTIONS, applicationName: 'exhausted' })
  t.after(() => db.end())
  const { call, askAll } = await apiOnPool(t, fixture, db, created.json.data.id)

  // They sleep for longer than any statement may, until they are cancelled below.
  const holders = await Promise.all(Array.from({ length: CONNECTIONS }, () => db.connect()))
  let held = CONNECTIONS
  const sleeping = holders.map(async (client) => {
    await client.query('set statement_timeout = 0')
    const sleepQuery = { text: 'select pg_sleep(3600)', query_timeout: 3_600_000 }
    await client.query(sleepQuery).catch(() => {})
    held -= 1
    client.release(true)
  })
  for (const reply of await askAll()) {
    assert.equal(reply.status, 503, reply.text)
    assert.equal(reply.json.code, 'service_unavailable')
    assert.ok(Number(reply.headers['retry-after']) >= 1)
  }
  const quote = await call('POST /demo/deliveries/quote-next-available', { body: quoteBody })
  assert.equal(quote.status, 200)
  assert.equal(held, CONNECTIONS, 'they got a response because a connection was released')

  while (held > 0) {
    await fixture.deps.db.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and query = 'select pg_sleep(3600)'`,
    )
  }
  await Promise.all(sleeping)
  // A busy machine may still be slow to connect.
  let replies = await askAll()
  while (replies.some(({ status }) => status === 503)) replies = await askAll()
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 201],
  )
})
