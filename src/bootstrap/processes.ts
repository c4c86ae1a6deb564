import type { Logger } from 'pino'
import { environment, isStartedByNpm, loadConfig } from '../config.ts'
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { makeLog } from '../log.ts'
import { currentSpan } from '../observability/tracing/current.ts'
import type { Roles } from './service.ts'
import { watchUnhandledFailures } from './unhandled-failures.ts'

/**
 * The whole product in this process: an embedded database unless DATABASE_URL is set, the demo accounts, all
 * workers.
 */
export async function runStart(): Promise<void> {
  await run({ api: true, worker: true }, { demo: true })
}

/** Serves requests on the given database; any number of these processes may share it. */
export async function runApi(): Promise<void> {
  await run({ api: true, worker: false }, { demo: false })
}

/** Runs due work on the given database; any number of these processes may share it. */
export async function runWorker(): Promise<void> {
  await run({ api: false, worker: true }, { demo: false })
}

/** After this the process exits even if work is still running; leases and idempotency keys make that safe. */
const STOP_MS = 20_000

async function run(roles: Roles, { demo }: { demo: boolean }): Promise<void> {
  // On a terminal, a log line per request would scroll the URLs and logins away.
  const isOnTerminal = demo && process.stdout.isTTY
  const config = loadConfig(environment(), { defaultLogLevel: isOnTerminal ? 'warn' : 'info' })
  if (!demo && !config.databaseUrl) {
    throw new Error(
      '`drover api` and `drover worker` share a database: set DATABASE_URL, or use `drover start`.',
    )
  }
  const log = config.traces ? makeLog(config.logLevel, traceOfLine) : makeLog(config.logLevel)
  const stopping = onStopSignal()
  const unhandled = watchUnhandledFailures(log)
  const database = config.databaseUrl ? given(config.databaseUrl) : await embedded(config.home)
  let service: { stop(): Promise<void> } | null = null
  try {
    const { serveRoles } = await readProduct()
    service = await serveRoles({ config, databaseUrl: database.url, roles, demo, log })
    await Promise.race([stopping, unhandled.fatal])
  } finally {
    await stopAll(service, database, log)
    unhandled.stop()
  }
}

/** Adds the trace id to every log line written during a span. */
function traceOfLine(): { trace_id?: string } {
  const span = currentSpan()
  return span ? { trace_id: span.traceId } : {}
}

/** Most of the code takes half a second to load, so it loads while the database starts. */
function readProduct() {
  return import('./serve-roles.ts')
}

type Database = { url: string; stop(): Promise<void> }

function given(url: string): Database {
  return { url, stop: async () => {} }
}

async function embedded(home: string): Promise<Database> {
  return startEmbeddedPostgres({
    home,
    log: (line) => process.stderr.write(`${line}\n`),
    // A failed import is reported at the `await` of its own call.
    begun: () => void readProduct().catch(() => {}),
  })
}

async function stopAll(
  service: { stop(): Promise<void> } | null,
  database: Database,
  log: Logger,
): Promise<void> {
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

/** How often a process that npm started looks whether npm's shell is still there. */
const PARENT_MS = 500

/**
 * Resolves at the first stop signal; a second signal, later than SAME_SIGNAL_MS, ends the process at once. Also resolves
 * when npm's shell has ended: a SIGTERM to npm alone reaches the shell, and no further.
 */
function onStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAtMs: number | null = null
    const parent = process.ppid
    if (isStartedByNpm()) setInterval(() => process.ppid !== parent && resolve(), PARENT_MS).unref()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (askedAtMs !== null && performance.now() - askedAtMs > SAME_SIGNAL_MS) process.exit(1)
        askedAtMs ??= performance.now()
        resolve()
      })
    }
  })
}
