import type { ClientBase, Pool } from 'pg'

export type ServerVersion = { version: string; number: number }

const OLDEST_SERVER = 150_000

/** The PostgreSQL version: `15.4`, and 150004. */
export async function serverVersion(db: ClientBase | Pool): Promise<ServerVersion> {
  const { rows } = await db.query<ServerVersion>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  )
  return rows[0] as ServerVersion
}

/** The message that rejects an old server; null if its version is supported. */
export function tooOld({ version, number }: ServerVersion): string | null {
  return number >= OLDEST_SERVER ? null : `Drover needs PostgreSQL 15 or newer; this one is ${version}.`
}
