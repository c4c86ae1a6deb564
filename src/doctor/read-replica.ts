import type { Finding } from '../cli/deps.ts'
import type { Config } from '../config.ts'
import { makePool } from '../store/db/pool.ts'
import { good, note, wrong } from './finding.ts'

const CHECK = 'read replica'
/** Above the 100 ms that reads wait for the replica: a replica that is this far behind gets no reads. */
const MAX_BEHIND_SECONDS = 1

/** Checks the replica that `DATABASE_READ_URL` names, if there is one. */
export async function checkReadReplica({ databaseReadUrl, databaseDirectUrl }: Config): Promise<Finding[]> {
  if (databaseReadUrl === null) return []
  const db = makePool(databaseReadUrl, {
    max: 1,
    applicationName: 'drover doctor',
    role: 'standby',
    directUrl: databaseDirectUrl,
  })
  try {
    const { rows } = await db.query<{ standby: boolean; behind: number | null; accounts: string | null }>(
      `select pg_is_in_recovery() as standby, to_regclass('accounts')::text as accounts,
         case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
              else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as behind`,
    )
    const { standby = false, behind = null, accounts = null } = rows[0] ?? {}
    if (!standby) {
      return [
        wrong(
          CHECK,
          'DATABASE_READ_URL names a database that is not a replica.',
          'Set it to a standby of DATABASE_URL, or remove it. Until then the primary answers every read.',
        ),
      ]
    }
    if (accounts === null) {
      return [
        wrong(
          CHECK,
          'DATABASE_READ_URL names a replica without Drover’s tables.',
          'Set it to a standby of the database that DATABASE_URL names.',
        ),
      ]
    }
    if ((behind ?? 0) > MAX_BEHIND_SECONDS) {
      const message = `The read replica is ${Math.round(behind ?? 0)} s behind. Reads go to the primary until it catches up.`
      return [note(CHECK, message, 'Look at the replica’s load, disk and network.')]
    }
    return [good(CHECK, 'It answers, and is at most 1 s behind the log that it has received.')]
  } catch (error) {
    const message = `The read replica does not answer: ${error instanceof Error ? error.message : error}`
    return [wrong(CHECK, message, 'Check the server, user and password of DATABASE_READ_URL.')]
  } finally {
    await db.end()
  }
}
