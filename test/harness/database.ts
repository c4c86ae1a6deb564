import pg from 'pg'
import { migrate } from '../../src/store/db/migrate.ts'
import { startTestServer } from '../server.ts'

/** A migrated database on a PostgreSQL of its own. */
export async function startDatabase(name: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await startTestServer()
  try {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(`create database ${pg.escapeIdentifier(name)}`)
    await client.end()
    const url = new URL(server.url)
    url.pathname = `/${name}`
    await migrate(url.href)
    return { url: url.href, stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}
