import type { ClientBase, Pool } from 'pg'

export type ServerVersion = { version: string; number: number }

const OLDEST_SERVER = 150_000

/** What kind of PostgreSQL answers: `15.4`, and 150004. */
export async function serverVersion(db: ClientBase | Pool): Promise<ServerVersion> {
  const { rows } = await db.query<ServerVersion>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  )
  return rows[0] as ServerVersion
}

/** The sentence that an old server is refused with; null for one that will do. */
export function tooOld({ version, number }: ServerVersion): string | null {
  return number >= OLDEST_SERVER ? null : `Drover needs PostgreSQL 15 or newer; this one is ${version}.`
}
