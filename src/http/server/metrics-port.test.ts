import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { startService } from '../../bootstrap/service.ts'
import { loadConfig } from '../../config.ts'
import { makeLog } from '../../log.ts'
import { freePort } from './listen.ts'

const HOST = '127.0.0.1'

test('with a port of their own, every role serves metrics only there', async (t) => {
  const { url } = await testDatabase()
  const statusAt = async (port: number, path: string) => (await fetch(`http://${HOST}:${port}${path}`)).status
  for (const roles of [
    { api: true, worker: false },
    { api: false, worker: true },
  ]) {
    const [port, metricsPort] = [await freePort(HOST), await freePort(HOST)]
    const service = await startService({
      config: configOf({
        PORT: `${port}`,
        DROVER_WORKER_PORT: roles.worker ? `${port}` : '',
        METRICS_PORT: `${metricsPort}`,
      }),
      databaseUrl: url,
      roles,
      version: 'test',
      log: makeLog('silent'),
    })
    t.after(() => service.stop())
    const statuses = await Promise.all(
      [port, metricsPort].flatMap((at) => ['/metrics', '/health/ready'].map((path) => statusAt(at, path))),
    )
    assert.deepEqual(statuses, [404, 200, 200, 200], JSON.stringify(roles))
  }
})

test('a metrics port in use is rejected', () => {
  for (const other of ['PORT', 'DROVER_WORKER_PORT'])
    assert.throws(() => configOf({ [other]: '9091', METRICS_PORT: '9091' }), /METRICS_PORT must differ/)
  assert.throws(() => configOf({ METRICS_PORT: 'many' }), /METRICS_PORT must be a number/)
})

function configOf(env: Record<string, string>) {
  return loadConfig({ DROVER_SECRET_KEY: 'a secret key for tests, long enough', HOST, ...env })
}
