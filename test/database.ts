import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import pg from 'pg'
import { migrate } from '../src/store/db/migrate.ts'
import { readMigrations } from '../src/store/db/migrations.ts'
import { makePool } from '../src/store/db/pool.ts'
import { FILES_VARIABLE, SERVER_VARIABLE, startTestServer, USED_VARIABLE } from './server.ts'

export type TestDatabase = { url: string; pool: pg.Pool }

const POOL_SIZE = 10
/** Longer than production's two seconds: on a busy machine a test's request must not end in a 503 by chance. */
export const CONNECT_MS = 60_000

/**
 * An empty, migrated database, dropped when the test (or, without one, the file) ends.
 *
 * The server is the one of `npm test`, or that of `DATABASE_URL`, or one that this file starts for itself.
 */
export async function testDatabase(t?: TestContext): Promise<TestDatabase> {
  const server = await testServer()
  return copyOf(await ensureTemplate(server), server, t)
}

/** The same without our schema. */
export async function emptyDatabase(t?: TestContext): Promise<TestDatabase> {
  return copyOf('template0', await testServer(), t)
}

async function copyOf(template: string, server: string, t: TestContext | undefined): Promise<TestDatabase> {
  const name = `drover_test_${randomBytes(6).toString('hex')}`
  await onServer(server, (client) => client.query(`create database ${name} template ${template}`))
  const url = databaseUrl(server, name)
  const pool = makePool(url, { max: POOL_SIZE, applicationName: 'drover test', connectMs: CONNECT_MS })
  const drop = async () => {
    await pool.end()
    await dropDatabase(server, name)
  }
  if (t) t.after(drop)
  else atEndOfFile.push(drop)
  return { url, pool }
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

const atEndOfFile: (() => Promise<void>)[] = []

// Registered here: a hook that is registered inside a test belongs to that test.
after(async () => {
  for (const end of atEndOfFile.reverse()) await end()
})

let ownServer: Promise<string> | null = null

function testServer(): Promise<string> {
  leaveName()
  const given = process.env[SERVER_VARIABLE] ?? process.env.DATABASE_URL
  if (given) return Promise.resolve(given)
  ownServer ??= startOwnServer()
  return ownServer
}

function leaveName(): void {
  const names = process.env[USED_VARIABLE]
  if (names) appendFileSync(names, `${process.env[FILES_VARIABLE]}\n`)
}

async function startOwnServer(): Promise<string> {
  const { url, stop } = await startTestServer()
  atEndOfFile.unshift(stop)
  return url
}

/** The migrated template database, created once for each set of migrations on a server. */
async function ensureTemplate(server: string): Promise<string> {
  const migrations = await readMigrations()
  const checksum = createHash('sha256')
    .update(migrations.map((one) => one.name + one.checksum).join())
    .digest('hex')
  const template = `drover_template_${checksum.slice(0, 12)}`
  await onServer(server, async (client) => {
    if (await exists(client, template)) return
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    if (await exists(client, template)) return
    const making = `drover_making_${randomBytes(6).toString('hex')}`
    await client.query(`create database ${making} template template0`)
    await migrate(databaseUrl(server, making))
    await client.query(`alter database ${making} rename to ${template}`)
  })
  return template
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
