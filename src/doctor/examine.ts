import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { CliDeps, Finding } from '../cli/deps.ts'
import { type Config, ConfigMistakes, environment, loadConfig } from '../config.ts'
import { type DataDisk, diskWarning, readDataDisks } from '../embedded/disk-space.ts'
import { runningPostgres } from '../embedded/running.ts'
import { findRemedy } from '../operations/quoting/failure-remedy.ts'
import { findEngine } from '../store/db/engine.ts'
import { madeAt } from '../store/db/id-times.ts'
import { makePool } from '../store/db/pool.ts'
import { checkAccounts } from './accounts.ts'
import { checkCitus } from './citus.ts'
import { checkSchema, checkServer } from './database.ts'
import { good, note, wrong } from './finding.ts'
import { checkMachine } from './machine.ts'
import { checkPartitions } from './partitions.ts'
import { checkPooler } from './pooler.ts'
import { checkPort } from './port.ts'
import { checkReadReplica } from './read-replica.ts'
import { checkSettings, checkUnknownSettings } from './settings.ts'
import { checkStoredSecrets } from './stored-secrets.ts'
import { checkWork } from './work.ts'

/** Workers publish events every second. */
const UNPUBLISHED_SECONDS = 10

/**
 * An event appears in the feed and in webhooks once it has its place; workers assign places, and so do
 * readers of the feed.
 */
export async function checkFeed(db: Pool): Promise<Finding> {
  const { rows } = await db.query<{ accounts: string[] | null; seconds: number | null }>(
    `select array_agg(account_id order by account_id) as accounts, max(age_s)::int as seconds
     from (
       select a.account_id, extract(epoch from now() - ${madeAt('e.event_id')}) as age_s
       from accounts as a cross join lateral (
         select event_id from events
         where account_id = a.account_id and feed_position is null order by position limit 1) as e) as oldest
     where age_s > $1`,
    [UNPUBLISHED_SECONDS],
  )
  const { accounts, seconds } = rows[0] ?? { accounts: null, seconds: null }
  if (!accounts) return good('events', 'Every event that was written is published.')
  return wrong(
    'events',
    `Events of ${accounts.join(', ')} are not published: the oldest was written ${seconds} s ago. Webhooks do not send them.`,
    'Is a worker running? drover start, or drover worker',
  )
}

/** Runs every check, in the order of the output; skips checks whose prerequisites are missing. */
export async function examine(deps: Pick<CliDeps, 'withDatabase'>): Promise<Finding[]> {
  const config = readConfig()
  if (Array.isArray(config)) return config
  return [
    ...checkMachine(config, environment()),
    ...checkSettings(config, environment()),
    ...(config.databaseUrl ? [] : await checkDisks(config.home)),
    ...(await checkReadReplica(config)),
    ...(await checkPooler(config)),
    await checkPort(config),
    ...(await examineDatabase(deps, config)),
  ]
}

/** The settings, or what is wrong with them. Reading them must not create a key when there is none. */
function readConfig(): Config | Finding[] {
  try {
    return loadConfig(environment(), { createsKey: false })
  } catch (error) {
    if (!(error instanceof ConfigMistakes)) throw error
    return [
      ...error.mistakes.map((mistake) => wrong('environment', mistake, 'Correct it, then run this again.')),
      ...checkUnknownSettings(environment()),
    ]
  }
}

async function examineDatabase(deps: Pick<CliDeps, 'withDatabase'>, config: Config): Promise<Finding[]> {
  if (!config.databaseUrl && !existsSync(join(config.home, 'postgres'))) {
    return [note('database', 'There is no database yet; the first start creates it.', 'drover start')]
  }
  try {
    const url = config.databaseUrl ?? runningPostgres(config.home)
    return url ? await checkAt(url, config) : await deps.withDatabase(({ db }) => checkDatabase(db, config))
  } catch (error) {
    const message = `The database cannot be used: ${error instanceof Error ? textFor(error) : error}`
    const usual = config.databaseUrl
      ? 'Check the server, user and password of DATABASE_URL.'
      : `Read the last lines of postgres/postgres.log in ${config.home}, then: drover start`
    const remedy = (config.databaseUrl && findRemedy(error)) || usual
    return [wrong('database', message, remedy)]
  }
}

async function checkAt(url: string, config: Config): Promise<Finding[]> {
  const db = makePool(url, { max: 3, applicationName: 'drover doctor', directUrl: config.databaseDirectUrl })
  try {
    return await checkDatabase(db, config)
  } finally {
    await db.end()
  }
}

async function checkDatabase(db: Pool, config: Config): Promise<Finding[]> {
  const server = await checkServer(db)
  const schema = await checkSchema(db)
  if (schema.found === 'wrong') return [...server, schema]
  await findEngine(db)
  const feed = await checkFeed(db)
  return [
    ...server,
    schema,
    ...(await checkCitus(db)),
    ...(await checkPartitions(db)),
    feed,
    ...(await checkStoredSecrets(db, config)),
    ...(await checkAccounts(db, config)),
    ...(await checkWork(db)),
  ]
}

/**
 * A refused connection to two addresses of one name is an error that contains two, without a message of its
 * own.
 */
function textFor(error: Error): string {
  const inner = error instanceof AggregateError ? error.errors.map(({ message }: Error) => message) : []
  return error.message || inner.join('; ') || error.name
}

/** Checks the free space on the disks of the home and of the embedded database. */
async function checkDisks(home: string, read = readDataDisks): Promise<Finding[]> {
  return (await read(home)).map(judge)
}

function judge(disk: DataDisk): Finding {
  const message = diskWarning([disk], { named: true })
  if (!message) return good('disk', `The disk of ${disk.folder} has enough free space.`)
  const remedy = 'Free space on it, or move the home to a larger disk (DROVER_HOME).'
  return disk.state === 'full' ? wrong('disk', message, remedy) : note('disk', message, remedy)
}
