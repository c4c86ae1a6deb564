import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Pool, PoolClient } from 'pg'
import { deliveryBody, testApi } from '../../../test/api.ts'
import { apiOnPool } from '../../../test/api-on-pool.ts'
import { testDatabase } from '../../../test/database.ts'
import { startTcpProxy } from '../../../test/harness/tcp-proxy.ts'
import { makePool, withTransaction } from '../../store/db/pool.ts'
import { isUnavailable } from '../../store/db/unavailable.ts'

/** The statement timeout and its grace period, and as much again for a busy machine; two of them are 24 s. */
const BOUND_MS = 22_000

test('a database that stops responding is detected while callers wait, and its connections are dropped', async (t) => {
  const { call: alive, fixture } = await testApi(t, { work: false })
  const created = await alive('POST /demo/deliveries', { body: deliveryBody() })
  const far = new URL(fixture.databaseUrl)
  const proxy = await startTcpProxy(() => Number(far.port))
  t.after(() => proxy.stop())
  const url = new URL(far)
  url.port = String(proxy.port)
  const [db, plain, transacting] = [4, 1, 1].map((max) => poolOf(t, url.href, max)) as [Pool, Pool, Pool]
  const { askAll } = await apiOnPool(t, fixture, db, created.json.data.id)
  const pidOf = async (pool: Pool) => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid
  assert.ok((await askAll()).every(({ status }) => status < 300))
  const pids = [await pidOf(plain), await pidOf(transacting)]

  proxy.set({ kind: 'black_hole' })
  const beganMs = performance.now()
  const [replies] = await Promise.all([
    askAll(),
    assert.rejects(plain.query('select 1'), isUnavailable),
    assert.rejects(
      withTransaction(transacting, (client) => client.query('select 1')),
      isUnavailable,
    ),
  ])
  const tookMs = performance.now() - beganMs
  assert.ok(tookMs < BOUND_MS, `they waited ${Math.round(tookMs)} ms`)
  for (const reply of replies) {
    assert.equal(reply.status, 503, reply.text)
    assert.equal(reply.json.code, 'service_unavailable')
    assert.ok(Number(reply.headers['retry-after']) >= 1)
  }

  proxy.set({ kind: 'none' })
  assert.notEqual(await pidOf(plain), pids[0])
  assert.notEqual(await pidOf(transacting), pids[1])
  let after = await askAll()
  while (after.some(({ status }) => status === 503)) after = await askAll()
  assert.deepEqual(
    after.map(({ status }) => status),
    [200, 200, 201],
  )
})

test('a slow statement may have a longer timeout', async (t) => {
  const { pool } = await testDatabase(t)
  const slow = (client: PoolClient) => client.query('select pg_sleep(13)')
  assert.equal((await withTransaction(pool, slow, { statementMs: 60_000 })).rowCount, 1)
})

function poolOf(t: TestContext, url: string, max: number): Pool {
  const pool = makePool(url, { max, applicationName: 'silent' })
  t.after(() => pool.end())
  return pool
}
