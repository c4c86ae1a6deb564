import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isUnavailable } from './unavailable.ts'

/** Reads on a replica of the database that never miss what was committed before them. */
export type ReadReplica = {
  /**
   * Runs reads, on the replica if it has all that was committed before the call, else on the primary. `asOfMs`: wall
   * time at which the primary was asked for its log position; null: the primary answered. `work` may run twice.
   */
  read<T>(work: (db: Pool) => Promise<T>): Promise<{ value: T; asOfMs: number | null }>
  /** Why the replica is not used at present; null while it is. */
  whyNotUsed(): string | null
  figures(): ReadReplicaFigures
  stop(): Promise<void>
}

/** How many reads ran where, and how long the last read waited for the replica. */
export type ReadReplicaFigures = { replica: number; primary: number; waitedMs: number }

/** A replica on a good network is a few milliseconds behind. A read that would wait longer goes to the primary. */
const MAX_WAIT_MS = 100
const LOOK_EVERY_MS = 5
/** How long reads go to the primary after the replica was behind, or failed. */
const AFTER_LATE_MS = 2_000
const AFTER_FAULT_MS = 5_000

/** SQLSTATE of a function that the server does not have: Amazon Aurora replays no log. */
const NOT_SUPPORTED = '0A000'
const NO_POSITION = 'The read replica does not say how far it has replayed the log: unset DATABASE_READ_URL.'

/**
 * Read-your-writes by log position: a read asks the primary for its log position, and waits until the replica has
 * replayed up to it. So every process sees what any process has committed, and no process needs to remember who has
 * written. Reads that begin together share the query for the position.
 */
export function readReplica(
  { primary, replica, log }: { primary: Pool; replica: Pool; log: Logger },
  nowMs = () => performance.now(),
): ReadReplica {
  const figures = { replica: 0, primary: 0, waitedMs: 0 }
  let notUsed: { why: string; untilMs: number } | null = null
  let next: Promise<string> | null = null

  /** A read never joins a query that has begun: its position would miss what was committed since. */
  function readPosition(): Promise<string> {
    next ??= (async () => {
      await new Promise(setImmediate)
      next = null
      const { rows } = await primary.query<{ position: string }>({
        name: 'read-log-position',
        text: 'select pg_current_wal_flush_lsn()::text as position',
      })
      return (rows[0] as { position: string }).position
    })()
    return next
  }

  /** Null once the replica has replayed up to the position; otherwise why reads do not go there. */
  async function waitFor(position: string): Promise<string | null> {
    const beganMs = nowMs()
    for (;;) {
      const { rows } = await replica.query<{ has: boolean | null }>({
        name: 'has-replayed',
        // A promoted replica still returns the last position that it replayed.
        text: 'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::pg_lsn end as has',
        values: [position],
      })
      figures.waitedMs = nowMs() - beganMs
      if (rows[0]?.has) return null
      if (rows[0]?.has === null) return 'DATABASE_READ_URL names a database that is not a replica.'
      if (figures.waitedMs > MAX_WAIT_MS) return `The read replica is more than ${MAX_WAIT_MS} ms behind.`
      await sleep(LOOK_EVERY_MS)
    }
  }

  function leave(why: string, forMs: number, error?: unknown): void {
    if (!notUsed) log.warn({ why, err: error }, 'Reads go to the primary database for now.')
    notUsed = { why, untilMs: nowMs() + forMs }
  }

  async function tryReplica<T>(work: (db: Pool) => Promise<T>): Promise<{ value: T; asOfMs: number } | null> {
    const asOfMs = Date.now()
    const position = await readPosition()
    try {
      const why = await waitFor(position)
      if (why) {
        leave(why, AFTER_LATE_MS)
        return null
      }
      const value = await work(replica)
      if (notUsed) log.info('Reads go to the read replica again.')
      notUsed = null
      return { value, asOfMs }
    } catch (error) {
      if (isUnavailable(error)) leave('The read replica does not answer.', AFTER_FAULT_MS, error)
      else if ((error as { code?: string }).code === NOT_SUPPORTED) leave(NO_POSITION, AFTER_FAULT_MS, error)
      else throw error
      return null
    }
  }

  return {
    async read(work) {
      const read = notUsed && nowMs() < notUsed.untilMs ? null : await tryReplica(work)
      figures[read ? 'replica' : 'primary'] += 1
      return read ?? { value: await work(primary), asOfMs: null }
    },
    whyNotUsed: () => notUsed?.why ?? null,
    figures: () => ({ ...figures }),
    stop: () => replica.end(),
  }
}
