import { type AppOptions, composeApp } from '../../src/bootstrap/composition-root.ts'
import type { Config } from '../../src/config.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { openWorkerHealthServer } from '../../src/http/server/worker-health-server.ts'
import { type Role, type SeededBug, seedInProcess } from './seeded-bugs.ts'

/** Starts a process of the product whose parts have seeded bugs: it serves requests, or does work. */
export async function startSeeded(
  role: Role,
  options: Omit<AppOptions, 'name'> & { config: Config },
  bugs: readonly SeededBug[],
): Promise<void> {
  const app = composeApp({ ...options, name: `seeded ${role}` })
  seedInProcess(role, app, bugs)
  await app.start({ work: role === 'worker' })
  const { host, port, workerPort, operatorToken, mapTiles, trustedProxies } = options.config
  const { deps, registry } = app
  const api = { registry, notReady: () => null, version: 'seeded' }
  if (role === 'worker') await openWorkerHealthServer(api, { host, port: workerPort ?? 0 })
  else await buildServer({ ...deps, ...api, operatorToken, mapTiles, trustedProxies }).listen({ port, host })
}
