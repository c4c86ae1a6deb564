import pg from 'pg'
import { migrate } from '../../src/store/db/migrate.ts'
import { startTestServer } from '../server.ts'

/** A migrated database on a PostgreSQL of its own. */
export async function startDatabase(name: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startTestServer()
  try {
    await queryAt(server.url, `create database ${pg.escapeIdentifier(name)}`)
    const url = new URL(server.url)
    url.pathname = `/${name}`
    await migrate(url.href)
    return { url: url.href, stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Runs the statements on a connection of their own, and returns the rows of the last one. */
export async function queryAt(url: string, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  let rows: unknown[] = []
  try {
    await client.connect()
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** The superuser of an embedded cluster, who has the password of the database's owner. */
export function superuserOf(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = 'postgres'
  url.pathname = '/postgres'
  return url.href
}
