import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryBody } from '../../test/api.ts'
import { emptyDatabase, testDatabase } from '../../test/database.ts'
import { TUESDAY_TEN_MS } from '../../test/fixture.ts'
import { runningService } from '../../test/running-service.ts'
import { until } from '../../test/wait-until.ts'
import { loadConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { setAccountClock } from '../operations/accounts/account-clock.ts'
import { ensureDemoAccounts } from '../operations/accounts/demo-accounts.ts'
import { startService } from './service.ts'

test('a stopping process claims nothing more and finishes running requests', async (t) => {
  const { url: databaseUrl } = await testDatabase()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const service = await startService({
    config: loadConfig({ PORT: '0', DROVER_SECRET_KEY: 'a secret key for tests, long enough' }),
    databaseUrl,
    roles: { api: true, worker: true },
    version: '0.0.0-test',
    log: makeLog('silent'),
    parts: {
      sandbox: {
        async handle() {
          asked.resolve()
          await answer.promise
          return { kind: 'not_sent', message: 'the test’s carrier takes nothing' }
        },
      },
    },
  })
  t.after(async () => {
    answer.resolve()
    await service.stop()
  })
  await ensureDemoAccounts(service.deps)
  await setAccountClock(service.deps, 'demo', TUESDAY_TEN_MS)
  const { db } = service.deps
  const call = await caller(service.address ?? '')

  const booking = call(deliveryBody({ reference: 'UNDER-WAY', book_delivery_now: true }))
  await asked.promise
  assert.equal((await call(deliveryBody({ reference: 'DUE-SOON' }))).status, 201)
  const stopped = service.stop()
  await sleep(500) // A claim that was already on its way may still take rows.
  await db.query(`update deliveries set due_at = 'epoch' where reference = 'DUE-SOON'`)
  service.deps.wake()
  await sleep(500) // A worker that did not stop would claim it in this time.
  const { rows } = await db.query<{ claims: number }>(
    `select claims from deliveries where reference = 'DUE-SOON'`,
  )
  answer.resolve()
  assert.equal((await booking).status, 201)
  await stopped
  assert.deepEqual(rows, [{ claims: 0 }])
})

test('a process is not ready while its database is unavailable', async (t) => {
  const { url, databaseUrl } = await runningService(t)
  const name = new URL(databaseUrl).pathname.slice(1)
  const { pool: server } = await emptyDatabase(t)
  const readiness = async () => {
    const answer = await fetch(`${url}/health/ready`)
    const text = await answer.text()
    return answer.ok ? `200 ${JSON.parse(text).status}` : `${answer.status} ${text}`
  }
  const soon = (expected: string) => until(async () => (await readiness()) === expected, expected)
  await soon('200 ok')
  await server.query(`alter database ${name} with allow_connections false`)
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await soon('503 {"status":"not_ready","reason":"The database does not answer."}')
  assert.equal((await fetch(`${url}/health/live`)).status, 200)
  await server.query(`alter database ${name} with allow_connections true`)
  await soon('200 ok')
})

/** Creates deliveries as the demo client does. */
async function caller(url: string): Promise<(body: object) => Promise<Response>> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/demo/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const credentials = { client_id: 'demo-client', client_secret: 'demo-secret' }
  const answer = await post('auth/token', { grant_type: 'client_credentials', ...credentials })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return (body) => post('deliveries', body, { authorization: `Bearer ${token}` })
}
