import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { distributeTables, isDistributed } from './distribute.ts'
import { connectToMigrate } from './migration-client.ts'
import { type Migration, readMigrations } from './migrations.ts'
import { requireOwnConnection } from './require-own-connection.ts'
import { serverVersion, tooOld } from './server-version.ts'

export type MigrateOptions = {
  folder?: URL
  log?: (line: string) => void
  /** Drover's own PostgreSQL: no pooler is in front of it, so a start need not look for one. */
  isEmbedded?: boolean
}

/** Any number that no other program locks: "drover" in ASCII, shortened to fit. */
const LOCK = 0x64726f76

/** A migration that waits longer for a lock yields to the requests queued behind it, and retries. */
const LOCK_TIMEOUT_MS = 2_000
const LOCK_ATTEMPTS = 30
const LOCK_PAUSE_MS = 1_000

const TURN_PAUSE_MS = 50

/**
 * Migrates the database to the newest schema, one transaction per file, and returns the files that it applied. Several
 * processes may start together: one migrates, the others wait. Throws a readable message if the database is too old, is
 * newer than this code, or was made with other files.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.folder)
  const client = await connectToMigrate(url)
  try {
    await requireServer(client)
    if (!options.isEmbedded) await requireOwnConnection(client, () => connectToMigrate(url))
    await takeTurn(client)
    const pending = await listPending(client, migrations)
    const onCitus = await isDistributed(client)
    for (const migration of pending) {
      await withRetries(() => apply(client, migration, onCitus))
      options.log?.(`Applied migration ${migration.name}.`)
    }
    return { applied: pending.map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

/**
 * Polls for the lock instead of waiting in the database: a waiting session holds a snapshot, which `create index
 * concurrently` would wait for, and PostgreSQL reports that as a deadlock.
 */
export async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [LOCK])
    if (rows[0]?.ours) return
    await sleep(TURN_PAUSE_MS)
  }
}

async function requireServer(client: pg.Client): Promise<void> {
  const mistake = tooOld(await serverVersion(client))
  if (mistake) throw new Error(mistake)
}

async function listPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  await client.query(SCHEMA_MIGRATIONS)
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migrations order by version',
  )
  const applied = new Map(rows.map((row) => [row.version, row]))
  const known = new Set(migrations.map(({ version }) => version))
  const unknown = rows.find(({ version }) => !known.has(version))
  if (unknown) {
    throw new Error(
      `The database is newer than this Drover: it has migration ${unknown.name}, which this one does not know. Run the newer version.`,
    )
  }
  const changed = migrations.find(
    ({ version, checksum }) => applied.has(version) && applied.get(version)?.checksum !== checksum,
  )
  if (changed) {
    throw new Error(
      `Migration ${changed.name} was changed after it was applied to this database. Restore the file, and write a new migration.`,
    )
  }
  return migrations.filter(({ version }) => !applied.has(version))
}

const SCHEMA_MIGRATIONS = `
create table if not exists schema_migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

async function apply(
  client: pg.Client,
  { version, name, checksum, sql, transactional }: Migration,
  onCitus: boolean,
): Promise<void> {
  const keepsTimeout = transactional || /^set lock_timeout/m.test(sql)
  await client.query(`set lock_timeout = ${transactional ? LOCK_TIMEOUT_MS : 0}`)
  try {
    if (transactional) await client.query('begin')
    for (const statement of transactional ? [sql] : statementsOf(sql)) {
      if (!keepsTimeout) {
        await client.query(`set lock_timeout = ${isConcurrent(statement) ? 0 : LOCK_TIMEOUT_MS}`)
      }
      await client.query(statement)
    }
    if (onCitus) await distributeTables(client)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ])
    if (transactional) await client.query('commit')
  } catch (error) {
    if (transactional) await client.query('rollback').catch(() => {})
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** Several statements sent as one text would be one transaction. Each ends with a semicolon at the end of a line. */
function statementsOf(sql: string): string[] {
  return sql.split(/;[ \t]*$/m).filter((statement) => statement.trim() !== '')
}

/** It waits for older transactions, however long they last, and blocks no reads or writes meanwhile. */
function isConcurrent(statement: string): boolean {
  const text = statement.replaceAll(/--.*$/gm, '')
  return /^\s*(create|create\s+unique|drop|reindex)\s+\w+\s+concurrently\b/i.test(text)
}

/**
 * A lock was not available in time (`lock_not_available`), or at all because the other session waited for ours
 * (`deadlock_detected`).
 */
const IN_THE_WAY: ReadonlySet<string> = new Set(['55P03', '40P01'])

/** Retries while the only failure is a lock held by another session. */
export async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = ((error as Error).cause as { code?: string } | undefined)?.code
      if (!IN_THE_WAY.has(code ?? '') || attempt === LOCK_ATTEMPTS) throw error
      await sleep(LOCK_PAUSE_MS)
    }
  }
}
