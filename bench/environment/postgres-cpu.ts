import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { processFigures } from './process-figures.ts'

const WINDOWS = 5
/** Workers look for unread events in every fifth poll, and they poll once a second. */
const MAX_WINDOW_MS = 5_000
/** Linux counts a process's time in hundredths of a second (proc(5), USER_HZ). */
const TICK_MS = 10

/** PostgreSQL's CPU time a second: the median of windows, because a retention sweep or a scrape falls into some. */
export async function idlePostgresCpuMs(db: pg.Client, quietMs: number): Promise<number> {
  const windowMs = Math.min(MAX_WINDOW_MS, quietMs / 2)
  const seen: number[] = []
  for (let n = 0; n < WINDOWS; n++) {
    const [before, beganMs] = [await connectionsCpuMs(db), performance.now()]
    await sleep(windowMs)
    seen.push(((await connectionsCpuMs(db)) - before) / ((performance.now() - beganMs) / 1_000))
  }
  return seen.sort((a, b) => a - b)[Math.floor(WINDOWS / 2)] as number
}

/** CPU time of the service's connections only: vacuum and checkpoints run because of the copied rows. */
async function connectionsCpuMs(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name like 'drover%' and backend_type = 'client backend'`,
  )
  return rows.reduce((sum, { pid }) => sum + (processFigures(pid)?.cpuMs ?? 0), 0)
}

/**
 * CPU time so far of a PostgreSQL server on this machine with all its processes, including those that have ended; null
 * on systems other than Linux.
 */
export async function serverCpuMs(db: pg.Client): Promise<number | null> {
  if (process.platform !== 'linux') return null
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const own = statFields((rows[0] as { pid: number }).pid)
  const postmaster = Number(own?.[PARENT])
  const children = readdirSync('/proc')
    .map((name) => (/^\d+$/.test(name) ? statFields(Number(name)) : null))
    .filter((fields) => Number(fields?.[PARENT]) === postmaster)
  const ticks = (fields: readonly string[] | null, columns: readonly number[]) =>
    columns.reduce((sum, column) => sum + Number(fields?.[column] ?? 0), 0)
  const live = children.reduce((sum, fields) => sum + ticks(fields, OWN_TIME), 0)
  return (live + ticks(statFields(postmaster), [...OWN_TIME, ...ENDED_CHILDREN_TIME])) * TICK_MS
}

/** Columns of proc(5) `stat` after the name: the parent, and user and system time. */
const PARENT = 1
const OWN_TIME = [11, 12]
const ENDED_CHILDREN_TIME = [13, 14]

/** Null for a process that has ended. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
