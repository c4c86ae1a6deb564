import type pg from 'pg'
import { connectClient } from './connect-within.ts'
import { serversOf } from './servers.ts'

/** A host that drops packets does not reject the connection for minutes. */
const CONNECT_MS = 10_000

/** The connection that changes the schema: one for the whole migration, because its lock is the session's. */
export function connectToMigrate(url: string): Promise<pg.Client> {
  return connectClient({
    connectMs: CONNECT_MS,
    servers: serversOf(url),
    application_name: 'drover migrate',
    options: '-c timezone=UTC',
  })
}
