import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { readCommit, VERSION } from '../cli/version.ts'
import { type Config, ConfigMistakes, environment } from '../config.ts'
import { checkSettings } from '../doctor/settings.ts'
import { diskWarning, readDataDisks } from '../embedded/disk-space.ts'
import { arePagesBuilt } from '../http/pages/serve-pages.ts'
import { ensureDemoAccounts } from '../operations/accounts/demo-accounts.ts'
import { retryWhileUnavailable } from '../operations/concurrency/retry-while-unavailable.ts'
import type { Deps } from '../operations/deps.ts'
import { ensureDemoUsers } from '../operations/people/demo-users.ts'
import { migrate } from '../store/db/migrate.ts'
import { superuserAt } from '../store/db/server-role.ts'
import { collectGarbageWhenIdle } from './idle-gc.ts'
import { type Roles, startService } from './service.ts'
import { startupBanner } from './startup-banner.ts'

export type RolesOptions = {
  config: Config
  databaseUrl: string
  roles: Roles
  /** Adds the demo accounts and users, and prints the start-up banner. */
  demo: boolean
  log: Logger
}

/** Migrates the database and serves these roles on it until it is stopped. */
export async function serveRoles({
  config,
  databaseUrl,
  roles,
  demo,
  log,
}: RolesOptions): Promise<{ stop(): Promise<void> }> {
  for (const { message, remedy } of checkSettings(config, environment())) log.warn(`${message} ${remedy}`)
  const withDemo = demo && !config.live
  let isRetrying = false
  const onRetry = (error: Error) => {
    if (!isRetrying) log.warn({ err: error }, 'the database does not answer yet; the start tries again')
    isRetrying = true
  }
  if (config.live && config.databaseUrl)
    await retryWhileUnavailable(() => requirePlainRole(databaseUrl), onRetry)
  const isEmbedded = config.databaseUrl === null
  await retryWhileUnavailable(
    async () => void (await migrate(config.databaseDirectUrl ?? databaseUrl, { isEmbedded })),
    onRetry,
  )
  // All of it before the server listens: a failure after *ready* would end a service that is in use.
  const prepare = async (deps: Deps) => {
    if (!withDemo) return
    await retryWhileUnavailable(() => ensureDemoAccounts(deps), onRetry)
    await retryWhileUnavailable(() => ensureDemoUsers(deps), onRetry)
  }
  const service = await startService({
    config,
    databaseUrl,
    roles,
    version: VERSION,
    commit: config.commit ?? readCommit(),
    log,
    prepare,
  })
  const stopTidying = collectGarbageWhenIdle()
  const build = demo ? buildInBackground() : null
  if (demo) {
    const disks = config.databaseUrl ? [] : await readDataDisks(config.home)
    process.stdout.write(
      startupBanner(config, service.address, {
        warning: diskWarning(disks, { named: true }),
        pagesAreBuilt: arePagesBuilt(),
      }),
    )
  } else log.info({ roles, address: service.address }, 'started')
  return {
    async stop() {
      stopTidying()
      build?.stop()
      await service.stop()
    },
  }
}

/** A superuser bypasses every protection in the database. Throws ConfigMistakes. */
async function requirePlainRole(url: string): Promise<void> {
  const superuser = await superuserAt(url)
  if (superuser === null) return
  throw new ConfigMistakes([
    `DATABASE_URL signs in as ${superuser}, a superuser: in live mode use the plain owner of the database (create role drover login; create database drover owner drover).`,
  ])
}

const SCRIPT = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url))

/**
 * Builds stale pages and start-up bundles in the background, so that a ready API doesn't wait half a minute
 * for them. An installation without sources was built in advance and skips this.
 */
export function buildInBackground(): { stop(): void } {
  if (!existsSync(SCRIPT)) return { stop: () => {} }
  let child: ChildProcess | null = null
  const timer = setTimeout(() => {
    child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'ignore', 'inherit'] })
    // If the build can't start, the pages say what to do, and the service runs from its sources.
    child.on('error', () => {})
    child.unref()
  }, AFTER_MS).unref()
  return {
    stop() {
      clearTimeout(timer)
      child?.kill()
    },
  }
}

/** Leaves the CPU to the first requests after a start. */
const AFTER_MS = 1_500
