import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gauge, Registry } from 'prom-client'
import { openWorkerHealthServer } from './worker-health-server.ts'

test('a worker serves its health and its metrics, and nothing else', async () => {
  const registry = new Registry()
  new Gauge({ name: 'rows', help: 'Rows.', registers: [registry] }).set(3)
  let reason: string | null = null
  const api = await openWorkerHealthServer(
    { registry, notReady: () => reason, version: '1.2.3', commit: '0123456789ab' },
    { host: '127.0.0.1', port: 0 },
  )
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${api.address}${path}`, { method })
    return `${answer.status} ${await answer.text()}`
  }
  assert.equal(await ask('/health/live'), '200 {"status":"ok"}')
  assert.equal(await ask('/health/ready'), '200 {"status":"ok","version":"1.2.3","commit":"0123456789ab"}')
  assert.match(await ask('/metrics'), /^200 .*^rows 3$/ms)
  for (const [path, method] of [
    ['/', 'GET'],
    ['/demo/deliveries', 'GET'],
    ['/metrics', 'POST'],
  ] as const) {
    assert.match(await ask(path, method), /^404 /, `${method} ${path}`)
  }
  reason = 'stopping'
  assert.equal(await ask('/health/ready'), '503 {"status":"not_ready","reason":"stopping"}')
  assert.match(await ask('/health/live'), /^200 /)
  await api.close()
  await assert.rejects(ask('/health/live'))
})

test('a worker that cannot listen says so and does not start', async () => {
  const deps = { registry: new Registry(), notReady: () => null, version: '1.2.3' }
  const first = await openWorkerHealthServer(deps, { host: '127.0.0.1', port: 0 })
  const port = Number(new URL(first.address).port)
  await assert.rejects(openWorkerHealthServer(deps, { host: '127.0.0.1', port }), /EADDRINUSE/)
  await first.close()
})
