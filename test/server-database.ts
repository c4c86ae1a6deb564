import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { distribute } from '../src/store/db/distribute.ts'
import { migrate } from '../src/store/db/migrate.ts'
import { readMigrations } from '../src/store/db/migrations.ts'
import { partition } from '../src/store/partitions/partition.ts'

/** An empty, migrated database on the server; distributed if `CITUS_WORKERS` names the workers of a cluster. */
export async function migratedDatabase(server: string): Promise<ServerDatabase> {
  return copyDatabase(server, await ensureTemplate(server))
}

/** `stop` drops the database. */
export type ServerDatabase = { url: string; stop(): Promise<void> }

/** A copy of the template, on every node of a cluster. */
export async function copyDatabase(server: string, template: string): Promise<ServerDatabase> {
  const name = `drover_test_${randomBytes(6).toString('hex')}`
  for (const node of [...CITUS_WORKERS, server])
    await onServer(node, (client) => client.query(`create database ${name} template ${template}`))
  return {
    url: databaseUrl(server, name),
    async stop() {
      for (const node of [server, ...CITUS_WORKERS]) await dropDatabase(node, name)
    },
  }
}

/**
 * Drops the database and ends its connections. `force` ends a listener but fails on autovacuum, a superuser process.
 * Without `force`, PostgreSQL stops autovacuum, but a listener stays. So both forms are tried in turn.
 */
async function dropDatabase(server: string, name: string): Promise<void> {
  const drop = `drop database if exists ${name}`
  for (let tries = 1; ; tries++) {
    try {
      await onServer(server, (client) => client.query(tries % 2 === 1 ? `${drop} with (force)` : drop))
      return
    } catch (error) {
      if (!IN_USE.has((error as { code?: string }).code ?? '') || tries === MAX_DROPS) throw error
    }
  }
}

/** `insufficient_privilege` (ending autovacuum) and `object_in_use`. */
const IN_USE: ReadonlySet<string> = new Set(['42501', '55006'])
const MAX_DROPS = 6

/** The migrated template database, created once for each set of migrations on a server. */
async function ensureTemplate(server: string): Promise<string> {
  const migrations = await readMigrations()
  const checksum = createHash('sha256')
    .update(migrations.map((one) => one.name + one.checksum).join())
    .digest('hex')
  const template = `drover_template_${checksum.slice(0, 12)}${BY_MONTH ? '_by_month' : ''}`
  await onServer(server, async (client) => {
    if (await exists(client, template)) return
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    if (await exists(client, template)) return
    const making = `drover_making_${randomBytes(6).toString('hex')}`
    await client.query(`create database ${making} template template0`)
    await migrate(databaseUrl(server, making))
    if (BY_MONTH) await partition(databaseUrl(server, making), { nowMs: Date.now() - MONTH_MS })
    if (CITUS_WORKERS.length > 0) await distributeTemplate(server, making)
    // A worker may still have it, if making it was interrupted.
    for (const node of CITUS_WORKERS) await dropDatabase(node, template)
    for (const node of [...CITUS_WORKERS, server])
      await onServer(node, (other) => other.query(`alter database ${making} rename to ${template}`))
  })
  return template
}

/** Whether the tests run on tables that are partitioned by month: `docs/operations/partitions.md`. */
const BY_MONTH = process.env.DROVER_TEST_BY_MONTH === 'true'
/** The partitions begin so long ago that the tests' rows are in a month of their own. */
const MONTH_MS = 31 * 24 * 3_600_000

/** The workers' URLs, comma-separated, of the Citus cluster whose coordinator is `DATABASE_URL`. */
export const CITUS_WORKERS = (process.env.CITUS_WORKERS ?? '').split(',').filter((url) => url !== '')
/** Fewer than a cluster has, because each is a table on a worker that every test's database copies. */
const SHARDS = 4

/** If every node copies its database, the copies form a working cluster: Citus’s metadata names nodes, not databases. */
async function distributeTemplate(server: string, making: string): Promise<void> {
  for (const node of CITUS_WORKERS)
    await onServer(node, (client) => client.query(`create database ${making} template template0`))
  for (const node of [server, ...CITUS_WORKERS])
    await onServer(databaseUrl(node, making), (client) => client.query('create extension citus'))
  await onServer(databaseUrl(server, making), async (client) => {
    const { hostname, port } = new URL(server)
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
    for (const node of CITUS_WORKERS.map((url) => new URL(url)))
      await client.query('select citus_add_node($1, $2)', [node.hostname, Number(node.port)])
  })
  await distribute(databaseUrl(server, making), { shards: SHARDS })
  // Citus' own maintenance connects to every database, and a database with sessions cannot be copied.
  for (const node of [server, ...CITUS_WORKERS])
    await onServer(node, async (client) => {
      await client.query(`alter database ${making} with allow_connections false`)
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
        making,
      ])
    })
}

async function exists(client: pg.Client, database: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [database])
  return rows.length > 0
}

async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
