import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { buildPages } from './build-pages.ts'
import { loadConfig } from './config.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { makeLog } from './log.ts'
import { ensureDemoAccounts } from './operations/demo-accounts.ts'
import { ensureDemoUsers } from './operations/demo-users.ts'
import type { Deps } from './operations/deps.ts'
import { type Roles, type Service, startService } from './service.ts'
import { migrate } from './store/migrate.ts'
import { keepTidy } from './tidy.ts'
import { welcome } from './welcome.ts'

/** The whole product in this process: its own database unless one is given, the demo accounts, all workers. */
export async function runStart(): Promise<void> {
  await run({ api: true, worker: true }, { demo: true })
}

/** Answers requests on the given database; any number of these may share it. */
export async function runApi(): Promise<void> {
  await run({ api: true, worker: false }, { demo: false })
}

/** Does due work on the given database; any number of these may share it. */
export async function runWorker(): Promise<void> {
  await run({ api: false, worker: true }, { demo: false })
}

/** Past this the process ends whatever is still running; leases and keys make that safe. */
const STOP_MS = 20_000

async function run(roles: Roles, { demo }: { demo: boolean }): Promise<void> {
  const config = loadConfig()
  if (!demo && !config.databaseUrl) {
    throw new Error(
      '`drover api` and `drover worker` share a database: set DATABASE_URL, or use `drover start`.',
    )
  }
  const log = makeLog(config.logLevel)
  const stopping = onStopSignal()
  const database = config.databaseUrl ? given(config.databaseUrl) : await embedded(config.home)
  let service: Service | null = null
  let stopTidying = () => {}
  let pages: ReturnType<typeof buildPages> | null = null
  try {
    await migrate(database.url)
    const prepare = async (deps: Deps) => {
      if (demo && !config.live) await ensureDemoAccounts(deps)
    }
    service = await startService({
      config,
      databaseUrl: database.url,
      roles,
      version: version(),
      log,
      prepare,
    })
    stopTidying = keepTidy()
    // While requests are served already: passwords take a second.
    if (demo && !config.live) await ensureDemoUsers(service.deps)
    if (demo) {
      pages = buildPages()
      process.stdout.write(welcome(config, service.address))
    } else log.info({ roles, address: service.address }, 'started')
    await stopping
  } finally {
    stopTidying()
    pages?.stop()
    await stopAll(service, database, log)
  }
}

type Database = { url: string; stop(): Promise<void> }

function given(url: string): Database {
  return { url, stop: async () => {} }
}

async function embedded(home: string): Promise<Database> {
  return startEmbeddedPostgres({ home, log: (line) => process.stderr.write(`${line}\n`) })
}

async function stopAll(service: Service | null, database: Database, log: Logger): Promise<void> {
  const giveUp = setTimeout(() => {
    log.error('could not stop in time')
    process.exit(1)
  }, STOP_MS)
  try {
    await service?.stop()
    await database.stop()
  } finally {
    clearTimeout(giveUp)
  }
}

/** A terminal and npm may both deliver one Ctrl-C. */
const SAME_SIGNAL_MS = 1_000

/** Resolves at the first signal that asks us to end; another one, later, ends the process at once. */
function onStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAtMs: number | null = null
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (askedAtMs !== null && performance.now() - askedAtMs > SAME_SIGNAL_MS) process.exit(1)
        askedAtMs ??= performance.now()
        resolve()
      })
    }
  })
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}
