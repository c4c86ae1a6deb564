import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { idlePostgresCpuMs } from '../environment/postgres-cpu.ts'
import { processFigures } from '../environment/process-figures.ts'
import { type Service, startService } from '../environment/service.ts'
import { KEPT } from '../figures/life.ts'
import { median } from '../ratios.ts'
import { BIG_ACCOUNT } from './spread.ts'

/** A request's times at this size: the first of them, which may read from disk, is often the longest. */
export type Read = { name: string; p50Ms: number; maxMs: number }

const TIMES = 9
const TALLY_PATIENCE_MS = 1_800_000

/** The requests whose cost could grow with the number of deliveries, on the account that has half of them. */
export async function measureReads(service: Service, db: pg.Client): Promise<Read[]> {
  const sample = await sampleIds(db, 1)
  const [delivery] = sample as [Sample]
  const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)
  const requests: Readonly<Record<string, string>> = {
    'get by id': `deliveries/${delivery.id}`,
    'get by reference': `deliveries/${delivery.reference}`,
    'list, first page': 'deliveries?limit=50',
    'list, a day of a store': `deliveries?store_reference=melbourne-cbd&on_day=${day}`,
    'search, whole reference': `deliveries?q=${delivery.reference}`,
    'search, customer’s name': 'deliveries?q=nguyen',
    'search, no hit': 'deliveries?q=xyzzyx',
    'exceptions: on hold': 'deliveries?status=on_hold',
    'exceptions: returned': 'deliveries?status=returned',
    'insights of 28 days': 'insights',
    'feed, first page': 'events?limit=100',
  }
  const reads: Read[] = []
  for (const [name, path] of Object.entries(requests))
    reads.push(await timed(name, () => service.call(`GET /${BIG_ACCOUNT}/${path}`)))
  reads.push(await timed('/metrics', () => service.call('GET /metrics')))
  return reads
}

async function timed(name: string, ask: () => Promise<unknown>): Promise<Read> {
  const tookMs: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const beganMs = performance.now()
    await ask()
    tookMs.push(performance.now() - beganMs)
  }
  return { name, p50Ms: median(tookMs), maxMs: Math.max(...tookMs) }
}

type Sample = { id: string; reference: string }

/** Deliveries of the big account, from all of its days. */
export async function sampleIds(db: pg.Client, count: number): Promise<Sample[]> {
  const { rows } = await db.query<Sample>(
    `select delivery_id as id, reference from (
       select delivery_id, reference, row_number() over (order by delivery_id) as n, count(*) over () as all_n
       from deliveries where account_id = $1 and reference like 'SCALE-%') as numbered
     where n % greatest(all_n / $2, 1) = 0 order by delivery_id desc limit $2`,
    [BIG_ACCOUNT, count],
  )
  return rows
}

/** Bytes of each table that keeps rows of deliveries, with indexes and partitions, for each delivery. */
export async function bytesADelivery(db: pg.Client): Promise<Record<string, number>> {
  const { rows } = await db.query<{ name: string; each: number }>(
    // A table without partitions has no tree, and a partitioned one has no size of its own.
    `select name, coalesce(
         (select sum(pg_total_relation_size(relid)) from pg_partition_tree(name::regclass)),
         pg_total_relation_size(name::regclass))::float8 / (select count(*) from deliveries) as each
     from unnest($1::text[]) as name`,
    [KEPT],
  )
  return Object.fromEntries(rows.map(({ name, each }) => [name, each]))
}

export type Idle = {
  startMs: number
  memoryMb: number | null
  /** PostgreSQL's CPU time a second for a worker that has nothing to do; null if it runs elsewhere. */
  postgresMsPerSecond: number | null
}

/** A service that has just started and has nothing to do. */
export async function measureIdle(
  service: { running: Service; startMs: number },
  db: pg.Client,
  { quietMs, isLocal }: { quietMs: number; isLocal: boolean },
): Promise<Idle> {
  await sleep(quietMs)
  return {
    startMs: service.startMs,
    postgresMsPerSecond: isLocal ? await idlePostgresCpuMs(db, quietMs) : null,
    memoryMb: processFigures(service.running.pid)?.memoryMb ?? null,
  }
}

export async function startTimed(...options: Parameters<typeof startService>) {
  const beganMs = performance.now()
  const running = await startService(...options)
  return { running, startMs: performance.now() - beganMs }
}

/** Waits until workers have tallied the past days of every store that `fill` left due: insights add the tallies up. */
export async function untilTallied(db: pg.Client): Promise<void> {
  const endMs = performance.now() + TALLY_PATIENCE_MS
  for (;;) {
    const { rows } = await db.query<{ left: boolean }>(
      `select exists (select from stores as s left join insight_progress as p using (account_id, store_id)
         where p.look_at is null or p.look_at <= now()) as left`,
    )
    if (rows[0]?.left === false) return
    if (performance.now() > endMs) throw new Error('The past days were not tallied within half an hour.')
    await sleep(500)
  }
}

/** Whether the database's CPU time can be read: it runs on this machine, and this is Linux. */
export function isOnThisMachine(databaseUrl: string): boolean {
  return (
    process.platform === 'linux' &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(databaseUrl).hostname)
  )
}
