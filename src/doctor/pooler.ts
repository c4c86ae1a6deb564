import type { Finding } from '../cli/deps.ts'
import type { Config } from '../config.ts'
import { connectToMigrate } from '../store/db/migration-client.ts'
import { makePool, SESSION_DEFAULTS } from '../store/db/pool.ts'
import { requireOwnConnection } from '../store/db/require-own-connection.ts'
import { good, note, wrong } from './finding.ts'

const CHECK = 'connection pooler'

/** Which server it is: two servers do not start in the same microsecond. */
const SERVER = 'select current_database() as name, pg_postmaster_start_time()::text as started'

/** Checks that both addresses lead to one database, and what a pooler keeps Drover from setting. */
export async function checkPooler({ databaseUrl, databaseDirectUrl }: Config): Promise<Finding[]> {
  if (databaseUrl === null || databaseDirectUrl === null) return []
  const pooled = makePool(databaseUrl, {
    max: 1,
    applicationName: 'drover doctor',
    directUrl: databaseDirectUrl,
  })
  try {
    const direct = await connectToMigrate(databaseDirectUrl)
    try {
      await requireOwnConnection(direct, () => connectToMigrate(databaseDirectUrl))
      const [one, other] = [(await pooled.query(SERVER)).rows[0], (await direct.query(SERVER)).rows[0]]
      if (one.name !== other.name || one.started !== other.started)
        return [wrong(CHECK, 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.', SAME)]
    } finally {
      await direct.end()
    }
    const { rows } = await pooled.query<{ name: string }>(
      `select name from pg_settings where name = any($1) and setting in ('0', 'on')`,
      [Object.keys(SESSION_DEFAULTS)],
    )
    if (rows.length === 0)
      return [good(CHECK, 'DATABASE_URL and DATABASE_DIRECT_URL lead to the same database.')]
    const sets = rows.map(({ name }) => `alter role current_user set ${name} = '${SESSION_DEFAULTS[name]}';`)
    const message = `Drover’s database role lacks ${rows.map(({ name }) => name).join(', ')}, which Drover cannot set through a pooler.`
    const remedy = `Log in to PostgreSQL as Drover’s role and run: ${sets.join(' ')} Then reconnect the pooler.`
    return [note(CHECK, message, remedy)]
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [wrong(CHECK, `DATABASE_URL or DATABASE_DIRECT_URL cannot be used: ${message}`, SAME)]
  } finally {
    await pooled.end()
  }
}

const SAME = 'Set DATABASE_DIRECT_URL to the PostgreSQL behind the pooler, with the same database and role.'
