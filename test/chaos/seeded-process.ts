/** A process of the product with seeded bugs: `SEEDED_BUGS=no_intent node seeded-process.ts worker`. */

import { composeApp } from '../../src/bootstrap/composition-root.ts'
import { loadConfig } from '../../src/config.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { openWorkerHealthServer } from '../../src/http/server/worker-health-server.ts'
import { makeLog } from '../../src/log.ts'
import { seedInProcess } from './seed-bugs.ts'
import type { Role, SeededBugName } from './seeded-bugs.ts'

const role = process.argv[2] as Role
const config = loadConfig()
const parts = composeApp({
  config,
  databaseUrl: config.databaseUrl ?? '',
  name: `seeded ${role}`,
  log: makeLog(config.logLevel),
})
seedInProcess(role, parts, (process.env.SEEDED_BUGS ?? '').split(',') as SeededBugName[])
await parts.start({ work: role === 'worker' })
const { host, port, workerPort, operatorToken, mapTiles, trustedProxies } = config
const { deps, registry } = parts
const api = { registry, notReady: () => null, version: 'seeded' }
if (role === 'worker') await openWorkerHealthServer(api, { host, port: workerPort ?? 0 })
else {
  const allDeps = { ...deps, ...api, operatorToken, mapTiles, trustedProxies }
  await buildServer(allDeps).listen({ port, host })
}
