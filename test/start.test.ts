import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { startService } from '../src/bootstrap/service.ts'
import { loadConfig } from '../src/config.ts'
import { makeLog } from '../src/log.ts'
import { ensureDemoAccounts } from '../src/operations/accounts/demo-accounts.ts'
import { testDatabase } from './database.ts'

const roles = { api: true, worker: true }
const log = makeLog('silent')

test('a start that fails leaves nothing running', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const { url, pool } = await testDatabase()

  const options = { config: configAt(port), databaseUrl: url, roles, version: 'test', log }
  await assert.rejects(startService(options), { code: 'EADDRINUSE' })
  const left = `select 1 from pg_stat_activity where datname = current_database() and application_name like 'drover api%'`
  assert.equal((await pool.query(left)).rows.length, 0)
})

test('the server accepts no request before its set-up has ended', async (t) => {
  const { url } = await testDatabase()
  const service = await startService({
    config: configAt(0),
    databaseUrl: url,
    roles,
    version: 'test',
    log,
    prepare: (deps) => ensureDemoAccounts(deps),
  })
  t.after(() => service.stop())
  assert.equal((await fetch(`${service.address}/health/ready`)).status, 200)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  })
  assert.equal((await fetch(`${service.address}/demo/auth/token`, { method: 'POST', body })).status, 200)
  const index = (await (await fetch(`${service.address}/`)).json()) as { documentation: string }
  assert.equal(
    index.documentation,
    `${service.address}/docs`,
    'the address has the port that the server chose',
  )
})

test('a separate worker also exports its connection metrics, which the alerts need', async (t) => {
  const { url } = await testDatabase()
  const service = await startService({
    config: { ...configAt(0), workerPort: 0 },
    databaseUrl: url,
    roles: { api: false, worker: true },
    version: 'test',
    log,
  })
  t.after(() => service.stop())
  const metrics = await (await fetch(`${service.address}/metrics`)).text()
  for (const state of ['busy', 'idle', 'waiting'])
    assert.match(metrics, new RegExp(`^drover_database_connections\\{state="${state}"\\} \\d+$`, 'm'))
})

function configAt(port: number) {
  return loadConfig({ PORT: String(port), DROVER_SECRET_KEY: 'a secret key for tests, long enough' })
}
