/**
 * A process of the product with seeded bugs, or with the sandbox's carriers in another process:
 * `SEEDED_BUGS=no_intent node process.ts worker`. `LEASE_MS` shortens leases below what settings allow.
 */

import { composeApp } from '../../src/bootstrap/composition-root.ts'
import { startService } from '../../src/bootstrap/service.ts'
import { loadConfig } from '../../src/config.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { openWorkerHealthServer } from '../../src/http/server/worker-health-server.ts'
import { makeLog } from '../../src/log.ts'
import { hasSeededBug, toSeededBugs } from '../harness/seeded-bugs.ts'
import { remoteCarriers } from '../kills/sandbox-carriers.ts'
import { ALL_BUGS, bugsOf } from './seeded-bugs.ts'

const { SEEDED_BUGS = '', SANDBOX_URL, LEASE_MS } = process.env
const config = loadConfig()
const bugs = bugsOf(toSeededBugs(ALL_BUGS, SEEDED_BUGS.split(',').filter(Boolean)))
const role = process.argv[2] === 'api' ? 'api' : 'worker'
const common = { config, databaseUrl: config.databaseUrl ?? '', log: makeLog(config.logLevel) }
const parts = {
  ...(SANDBOX_URL === undefined ? {} : { sandbox: remoteCarriers(SANDBOX_URL) }),
  ...(LEASE_MS === undefined ? {} : { leaseMs: Number(LEASE_MS) }),
}
if (hasSeededBug(role, bugs)) await startSeeded()
else {
  const roles = { api: role === 'api', worker: role === 'worker' }
  await startService({ ...common, roles, version: 'test', parts })
}

/** Seeds the bugs before the process serves its first request or does its first work. */
async function startSeeded(): Promise<void> {
  const app = composeApp({ ...common, ...parts, name: `seeded ${role}` })
  for (const bug of bugs) bug[role]?.(app)
  await app.start({ work: role === 'worker' })
  const { host, port, workerPort, operatorToken, mapTiles, trustedProxies } = config
  const api = { registry: app.registry, notReady: () => null, version: 'seeded' }
  if (role === 'worker') await openWorkerHealthServer(api, { host, port: workerPort ?? 0 })
  else
    await buildServer({ ...app.deps, ...api, operatorToken, mapTiles, trustedProxies }).listen({ port, host })
}
