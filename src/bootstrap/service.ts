import type { Logger } from 'pino'
import { type Config, servedAt } from '../config.ts'
import { freePort, listen } from '../http/server/listen.ts'
import { buildServer } from '../http/server/server.ts'
import { closeServer } from '../http/server/stop.ts'
import { openWorkerHealthServer, type WorkerHealthServer } from '../http/server/worker-health-server.ts'
import { watchDisks } from '../observability/watch-disks.ts'
import type { Deps } from '../operations/deps.ts'
import { type App, type AppOptions, composeApp } from './composition-root.ts'

/** The roles of one process: serve requests, run due work, or both. */
export type Roles = { api: boolean; worker: boolean }

export type Service = {
  deps: Deps
  /** The address that it listens on; null for a worker without a port. */
  address: string | null
  /** Accepts no more requests, finishes running ones, releases the rest. */
  stop(): Promise<void>
}

export type ServiceOptions = {
  config: Config
  databaseUrl: string
  roles: Roles
  version: string
  /** The commit that this runs from, for people who ask for help; absent or null: unknown. */
  commit?: string | null
  log: Logger
  /** Runs before the server listens. */
  prepare?(deps: Deps): Promise<void>
  /** Overrides of the defaults of `composeApp`. */
  parts?: Pick<AppOptions, 'leaseMs' | 'sandbox' | 'connectMs'>
}

/** Starts one process of the product against a migrated database; a failed start leaves nothing running. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, databaseUrl, roles, log } = options
  const name = Object.entries(roles).flatMap(([role, on]) => (on ? role : []))
  const parts = composeApp({
    config,
    databaseUrl,
    databaseReadUrl: roles.api ? config.databaseReadUrl : null,
    name: name.join('+'),
    log,
    ...options.parts,
  })
  try {
    return await serve(parts, options)
  } catch (error) {
    await parts.stop()
    throw error
  }
}

/**
 * Drain time: API processes behind a load balancer give it time to notice; a process with all roles stops
 * sooner.
 */
const DRAIN_MS = 2_000
const SHORT_DRAIN_MS = 250
/** A request takes at most eight seconds. The process exits after 20 (`STOP_MS`), and later steps need time as well. */
const REQUESTS_MS = 8_500

async function serve(
  parts: App,
  { config, roles, version, commit = null, log, prepare }: ServiceOptions,
): Promise<Service> {
  await parts.start({ work: false })
  await prepare?.(parts.deps)
  const { port, publicUrl } = roles.api ? await placeOf(config) : config
  parts.deps.publicUrl = publicUrl
  if (roles.worker) parts.work()

  let stopping: Promise<void> | null = null
  const notReady = (): string | null => {
    if (stopping) return 'stopping'
    return parts.deps.accounts.isFollowed() ? null : 'The database does not answer.'
  }
  // With an external database, no data of ours grows on this machine.
  const disks = config.databaseUrl
    ? null
    : await watchDisks({ home: config.home, registry: parts.registry, log })
  const warnings = (): string[] => [disks?.warning() ?? [], parts.readReplica?.whyNotUsed() ?? []].flat()
  const { operatorToken, mapTiles, trustedProxies, limits, host, workerPort, metricsPort } = config
  const hasOwnMetricsPort = metricsPort !== null
  const server = roles.api
    ? buildServer({
        ...parts.deps,
        peers: parts.peers,
        readReplica: parts.readReplica,
        operatorToken,
        mapTiles,
        trustedProxies,
        limits,
        version,
        commit,
        registry: parts.registry,
        tracer: parts.tracer,
        notReady,
        warnings,
        hasOwnMetricsPort,
      })
    : null
  const healthServers: WorkerHealthServer[] = []
  const openHealthServer = async (port: number, hasMetrics: boolean): Promise<WorkerHealthServer> => {
    const registry = hasMetrics ? parts.registry : null
    const healthServer = await openWorkerHealthServer(
      { registry, notReady, warnings, version, commit },
      { host, port },
    )
    healthServers.push(healthServer)
    return healthServer
  }
  const closeHealthServers = () => Promise.all(healthServers.map((healthServer) => healthServer.close()))
  let address: string | null
  try {
    const metricsServer = hasOwnMetricsPort ? await openHealthServer(metricsPort, true) : null
    const workerServer =
      server || workerPort === null ? null : await openHealthServer(workerPort, !hasOwnMetricsPort)
    address = server
      ? await listen(server, { port, host, perAddress: limits.perAddress, trustedProxies })
      : ((workerServer ?? metricsServer)?.address ?? null)
  } catch (error) {
    disks?.stop()
    await closeHealthServers()
    throw error
  }

  return {
    deps: parts.deps,
    address,
    stop() {
      stopping ??= (async () => {
        const drainMs = roles.worker ? SHORT_DRAIN_MS : DRAIN_MS
        // Work and requests drain at the same time: one after the other took twice as long.
        await Promise.all([parts.rest(), server && closeServer(server, { drainMs, withinMs: REQUESTS_MS })])
        await parts.stop()
        disks?.stop()
        await closeHealthServers()
      })()
      return stopping
    },
  }
}

/**
 * Port 0 can't be called: if no other public URL is set, ours names the free port that we will listen on. It
 * is looked up right before listening, so that no other process takes it in between.
 */
async function placeOf({ host, port, publicUrl }: Config): Promise<Pick<Config, 'port' | 'publicUrl'>> {
  if (port !== 0 || publicUrl !== servedAt(host, 0)) return { port, publicUrl }
  const free = await freePort(host)
  return { port: free, publicUrl: servedAt(host, free) }
}
