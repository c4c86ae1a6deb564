import type pg from 'pg'
import { connectClient } from './connect-within.ts'
import { serversOf } from './servers.ts'

/** A host that drops packets does not reject the connection for minutes. */
const CONNECT_MS = 10_000

/** The connection that changes the schema: one for the whole migration, because its lock is the session's. */
export async function connectToMigrate(url: string): Promise<pg.Client> {
  const client = await connectClient({
    connectMs: CONNECT_MS,
    servers: serversOf(url),
    application_name: 'drover migrate',
    options: '-c timezone=UTC',
  })
  // Behind a pooler the database role has the timeout of requests; a migration may take longer.
  await client.query('set statement_timeout = 0')
  return client
}
