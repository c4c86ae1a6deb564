import type pg from 'pg'
import { idAt, timeOf } from '../db/id-times.ts'
import { withTransaction } from '../db/pool.ts'

type Client = pg.ClientBase

/**
 * The tables that have rows for every delivery, which `drover migrate --partition` partitions by month, each with the
 * part of its key that is an id. An id begins with the time at which it was made, so a range of ids is a month: that of
 * the delivery's creation, or of the message's.
 */
export const PARTITIONED = {
  events: { key: 'stream', prefix: 'dlv' },
  messages: { key: 'message_id', prefix: 'msg' },
  carrier_events: { key: 'delivery_id', prefix: 'dlv' },
  booking_intents: { key: 'delivery_id', prefix: 'dlv' },
} as const

export type PartitionedTable = keyof typeof PARTITIONED

export const PARTITIONED_TABLES = Object.keys(PARTITIONED) as PartitionedTable[]

/** The table as it was before the first month. Events that belong to no delivery are there too. */
export const earliestPartition = (table: PartitionedTable): string => `${table}_earliest`

/** Kept even if it is empty: events of links and manifests would otherwise go to the default partition. */
const OTHER_STREAMS = earliestPartition('events')

/** Takes rows that belong to no other partition, so that no write fails if no worker creates months for a while. */
export const defaultPartition = (table: PartitionedTable): string => `${table}_default`

export type Month = { name: string; fromMs: number; toMs: number }

/** UTC months, beginning with that of `nowMs`: `2026_11`, `2026_12`, … */
export function monthsFrom(nowMs: number, count: number): Month[] {
  const now = new Date(nowMs)
  const start = (month: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1)
  return Array.from({ length: count }, (_, n) => ({
    name: new Date(start(n)).toISOString().slice(0, 7).replace('-', '_'),
    fromMs: start(n),
    toMs: start(n + 1),
  }))
}

/** Which of the tables are partitioned. */
export async function findPartitioned(db: Client | pg.Pool): Promise<PartitionedTable[]> {
  const { rows } = await db.query<{ name: PartitionedTable }>(
    `select c.relname as name from pg_class as c join pg_class as a on a.oid = to_regclass('accounts')
     where a.relnamespace = c.relnamespace and c.relkind = 'p' and c.relname = any ($1) order by 1`,
    [PARTITIONED_TABLES],
  )
  return rows.map(({ name }) => name)
}

export type Partition = { name: string /** Null: the default partition. */; toMs: number | null }

/** A table's partitions in the order of time, the default one last. */
export async function listPartitions(db: Client | pg.Pool, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await db.query<{ name: string; bound: string | null }>(
    `select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)') as bound
     from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
     where i.inhparent = to_regclass($1) order by bound nulls last`,
    [table],
  )
  return rows.map(({ name, bound }) => ({ name, toMs: bound === null ? null : timeOf(bound) }))
}

/**
 * The current month and two more: all workers may be stopped for two months before rows go to the default partition.
 */
const MONTHS_AHEAD = 3

/**
 * A month is dropped if it is this old and empty. Erasure has deleted its rows; rows that are written later about one
 * of its deliveries go to the default partition.
 */
const EMPTY_FOR_MS = 62 * 24 * 3_600_000

/** So that a change waits for no request longer than this, and no request for the change. The next round tries again. */
const LOCK_TIMEOUT = '1s'

/** Any number that no other lock of Drover has. */
const MAINTENANCE_LOCK = 0x6d6f6e74

/**
 * Creates the months that are missing and drops those that are empty; returns the number of both. Does nothing if the
 * tables are not partitioned, or if another process is doing it. Uses the database's time, because a worker's
 * clock may be years ahead and would drop the current month. Tests pass `atMs` instead.
 */
export async function maintainPartitions(db: pg.Pool, atMs?: number): Promise<number> {
  let changed = 0
  for (const table of await findPartitioned(db)) {
    changed += await withTransaction(db, async (client) => {
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      const { rows } = await client.query<{ ours: boolean; now: number }>(
        'select pg_try_advisory_xact_lock($1) as ours, now() as now',
        [MAINTENANCE_LOCK],
      )
      if (!rows[0]?.ours) return 0
      const nowMs = atMs ?? rows[0].now
      return (await createMonths(client, table, nowMs)) + (await dropEmptyMonths(client, table, nowMs))
    })
  }
  return changed
}

/**
 * Creates the months that are missing, up to two ahead, in the client's transaction; returns their number. Months that
 * passed while no worker ran are among them, so that their rows leave the default partition; months that were dropped
 * because they were old and empty are not.
 */
export async function createMonths(client: Client, table: PartitionedTable, nowMs: number): Promise<number> {
  const partitions = await listPartitions(client, table)
  const earliestToMs = partitions.find(({ name }) => name === earliestPartition(table))?.toMs ?? 0
  const pastMs =
    Math.max(...partitions.map(({ toMs }) => (toMs !== null && toMs <= nowMs ? toMs : 0))) || nowMs
  const fromMs = Math.min(pastMs, nowMs - EMPTY_FOR_MS)
  const existing = new Set(partitions.map(({ name }) => name))
  const months = monthsFrom(fromMs, monthsBetween(fromMs, nowMs) + MONTHS_AHEAD)
  const missing = months.filter(
    (month) => month.toMs > Math.max(fromMs, earliestToMs) && !existing.has(`${table}_${month.name}`),
  )
  for (const month of missing) await createMonth(client, table, month)
  return missing.length
}

/** How many months `toMs` is after `fromMs`; 0 if it is not. */
function monthsBetween(fromMs: number, toMs: number): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  return Math.max(0, years * 12 + to.getUTCMonth() - from.getUTCMonth())
}

async function createMonth(client: Client, table: PartitionedTable, month: Month): Promise<void> {
  const { key, prefix } = PARTITIONED[table]
  const [partition, spare] = [`${table}_${month.name}`, defaultPartition(table)]
  const [from, to] = [`'${idAt(prefix, month.fromMs)}'`, `'${idAt(prefix, month.toMs)}'`]
  // Rows of this month that came before it existed move into it. Few statements write to the default partition, so few
  // wait for this lock.
  await client.query(`lock table ${spare} in share row exclusive mode`)
  await client.query(`create table ${partition} (like ${spare} including all)`)
  await copySettings(client, spare, partition)
  await client.query(
    `with moved as (delete from ${spare} where ${key} >= ${from} and ${key} < ${to} returning *)
     insert into ${partition} select * from moved`,
  )
  await client.query(
    `alter table ${table} attach partition ${partition} for values from (${from}) to (${to})`,
  )
}

/** `create table … (like …)` copies no storage parameters, such as those of autovacuum. */
export async function copySettings(client: Client, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ settings: string | null }>(
    `select array_to_string(reloptions, ', ') as settings from pg_class where oid = to_regclass($1)`,
    [from],
  )
  if (rows[0]?.settings) await client.query(`alter table ${to} set (${rows[0].settings})`)
}

async function dropEmptyMonths(client: Client, table: PartitionedTable, nowMs: number): Promise<number> {
  let dropped = 0
  for (const { name, toMs } of await listPartitions(client, table)) {
    if (toMs === null || toMs > nowMs - EMPTY_FOR_MS || name === OTHER_STREAMS) continue
    if (!(await isEmpty(client, name))) continue
    // No row may arrive between the check and the drop.
    await client.query(`lock table ${name} in access exclusive mode`)
    if (!(await isEmpty(client, name))) continue
    await client.query(`drop table ${name}`)
    dropped++
  }
  return dropped
}

async function isEmpty(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query(`select from ${name} limit 1`)
  return rows.length === 0
}
