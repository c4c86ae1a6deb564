import type { App } from '../../src/bootstrap/composition-root.ts'
import type { Config } from '../../src/config.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { openWorkerHealthServer } from '../../src/http/server/worker-health-server.ts'

/** Starts a process of the product whose parts have seeded bugs: it serves requests, or does work. */
export async function startSeeded(role: 'api' | 'worker', app: App, config: Config): Promise<void> {
  await app.start({ work: role === 'worker' })
  const { host, port, workerPort, operatorToken, mapTiles, trustedProxies } = config
  const { deps, registry } = app
  const api = { registry, notReady: () => null, version: 'seeded' }
  if (role === 'worker') await openWorkerHealthServer(api, { host, port: workerPort ?? 0 })
  else await buildServer({ ...deps, ...api, operatorToken, mapTiles, trustedProxies }).listen({ port, host })
}
