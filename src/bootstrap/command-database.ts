import type { CliDeps } from '../cli/deps.ts'
import { loadConfig } from '../config.ts'
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { runningPostgres } from '../embedded/running.ts'
import { makeLog } from '../log.ts'
import { distribute } from '../store/db/distribute.ts'
import { findEngine } from '../store/db/engine.ts'
import { migrate } from '../store/db/migrate.ts'
import { makePool } from '../store/db/pool.ts'
import { partition } from '../store/partitions/partition.ts'

/**
 * The database of commands: that of DATABASE_URL, or the embedded one of DROVER_HOME. A running server has
 * the embedded one open already; otherwise it is started and migrated for this command alone.
 */
export const commandDatabase: Pick<
  CliDeps,
  'withDatabase' | 'withService' | 'migrate' | 'distribute' | 'partition'
> = {
  async withDatabase(use) {
    const { secretKey, oldSecretKeys, publicUrl, smtpUrl, databaseDirectUrl: directUrl } = loadConfig()
    return reach(async (url) => {
      const db = makePool(url, { max: 3, applicationName: 'drover command', directUrl })
      try {
        await findEngine(db)
        return await use({ db, secretKey, oldSecretKeys, publicUrl, hasSmtp: smtpUrl !== null })
      } finally {
        await db.end()
      }
    })
  },
  async withService(use) {
    const config = loadConfig()
    const { composeApp } = await import('./composition-root.ts')
    return reach(async (databaseUrl) => {
      const parts = composeApp({ config, databaseUrl, name: 'command', log: makeLog('error') })
      try {
        await parts.start({ work: false })
        return await use(parts.deps)
      } finally {
        await parts.stop()
      }
    })
  },
  migrate: () => reach(async (url, fresh) => [...fresh, ...(await migrate(directly(url))).applied]),
  distribute: (options) => reach((url) => distribute(directly(url), options)),
  partition: () => reach((url) => partition(directly(url))),
}

/** Changes of the schema do not pass through a pooler. */
const directly = (url: string): string => loadConfig().databaseDirectUrl ?? url

async function reach<T>(use: (url: string, applied: readonly string[]) => Promise<T>): Promise<T> {
  const { databaseUrl, home } = loadConfig()
  const url = databaseUrl ?? runningPostgres(home)
  if (url) return use(url, [])
  const postgres = await startEmbeddedPostgres({ home, log: () => {} })
  // A signal ends a process without its `exit` event, and PostgreSQL would go on.
  const stops = SIGNALS.map(([signal, exitCode]) => {
    const stop = () => void postgres.stop().finally(() => process.exit(exitCode))
    process.once(signal, stop)
    return () => process.off(signal, stop)
  })
  try {
    const { applied } = await migrate(postgres.url)
    return await use(postgres.url, applied)
  } finally {
    for (const undo of stops) undo()
    await postgres.stop()
  }
}

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const
