import type pg from 'pg'

/** A pooler may give the second connection another server, so one pair proves nothing. */
const TRIES = 3

/**
 * Throws if this connection shares PostgreSQL's with other clients: a pooler in transaction mode answers. There a
 * listener hears nothing and a lock of the session is lost. `connect` makes one more connection of the same kind. Two
 * open connections of which each has its own server never have the same process id.
 */
export async function requireOwnConnection(
  first: pg.Client,
  connect: () => Promise<pg.Client>,
): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const before = await processId(first)
    const second = await connect()
    try {
      if ((await processId(second)) === before) throw new Error(SHARED)
    } finally {
      await second.end()
    }
  }
}

const SHARED =
  'This address leads to a connection pooler in transaction mode, such as PgBouncer. Migrations and LISTEN need a direct ' +
  'connection. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, and keep the pooler’s address in DATABASE_URL.'

async function processId(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
