import { appendFileSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import type pg from 'pg'
import { findEngine } from '../src/store/db/engine.ts'
import { makePool } from '../src/store/db/pool.ts'
import { FILES_VARIABLE, SERVER_VARIABLE, startTestServer, USED_VARIABLE } from './server.ts'
import { CITUS_WORKERS, copyDatabase, migratedDatabase, type ServerDatabase } from './server-database.ts'

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
  return connectTo(await migratedDatabase(await testServer()), t)
}

/** The same without our schema. */
export async function emptyDatabase(t?: TestContext): Promise<TestDatabase> {
  return connectTo(await copyDatabase(await testServer(), 'template0'), t)
}

/** Whether the tests run on a Citus cluster: `docs/operations/citus.md`. */
export const ON_CITUS = CITUS_WORKERS.length > 0

async function connectTo({ url, stop }: ServerDatabase, t: TestContext | undefined): Promise<TestDatabase> {
  const pool = makePool(url, { max: POOL_SIZE, applicationName: 'drover test', connectMs: CONNECT_MS })
  if (ON_CITUS) await findEngine(pool)
  const drop = async () => {
    await pool.end()
    await stop()
  }
  if (t) t.after(drop)
  else atEndOfFile.push(drop)
  return { url, pool }
}

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
