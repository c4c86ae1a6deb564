import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { bookingStatements } from '../baselines/booking-statements.ts'
import type { Statement } from '../baselines/statement.ts'
import type { Sent } from '../environment/booking-process.ts'
import { type Child, startChild } from '../environment/child.ts'
import { copyDelivery, numbered, type Original } from '../environment/copies.ts'
import { type BenchDatabase, startBenchDatabase } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import { processFigures } from '../environment/process-figures.ts'
import { startService } from '../environment/service.ts'
import { rotated } from '../rounds.ts'
import { deliveryBody } from './delivery.ts'
import { atLeast, type Figure } from './figure.ts'
import { rateFigure, type Speed } from './ratio-figure.ts'

const WORKER = new URL('../environment/booking-process.ts', import.meta.url)
/** One worker's number of connections. */
const CONNECTIONS = 20
const LONGEST_MS = 120_000
const LOOK_EVERY_MS = 50

type Bench = {
  environment: Environment
  database: BenchDatabase
  client: pg.Client
  original: Original
  statements: readonly Statement[]
  workers: Child[]
  bookings: number
  copied: number
}

/** Due deliveries booked at a carrier that responds at once, compared with pgbench and the same statements. */
export async function bookingFigures(environment: Environment): Promise<Figure[]> {
  const database = await startBenchDatabase()
  const client = new pg.Client({ connectionString: database.url })
  const workers: Child[] = []
  try {
    await client.connect()
    const original = await aDueLater(database)
    await copyDelivery(database.url, original, { from: 1, to: 1, changes: DUE })
    workers.push(startChild(WORKER, [database.url]))
    const sent = await (workers[0] as Child).ask<Sent[]>('record')
    const bench = {
      ...{ environment, database, client, original, workers },
      statements: bookingStatements(sent),
      bookings: environment.plan.bookings,
      copied: 1,
    }
    const one = await figureOf(bench, 1)
    if (environment.plan.isQuick) return [one]
    workers.push(startChild(WORKER, [database.url]))
    return [one, await figureOf(bench, 2)]
  } finally {
    for (const worker of workers) await worker.stop()
    await client.end()
    await database.stop()
  }
}

const DUE = { due_at: `'epoch'` }
/** The state after a claim, with a lease that has expired. */
const CLAIMED = { fence: '1' }

async function figureOf(bench: Bench, workers: number): Promise<Figure> {
  const ours = () => booked(bench)
  const limit = () => repeated(bench, CONNECTIONS * workers)
  await ours()
  const rounds = await rotated<'ours' | 'limit', Speed>(bench.environment.plan.rounds, { ours, limit })
  const goal = workers === 1 ? atLeast(0.4, 0.7) : null
  return rateFigure(
    `bookings ÷ their statements alone, ${workers} worker${workers > 1 ? 's' : ''}`,
    goal,
    rounds,
  )
}

/** From the first booking to the last, by their own times. */
async function booked(bench: Bench): Promise<Speed> {
  const { bookings, workers } = bench
  const [from, to] = await copies(bench, DUE)
  const before = cpuMs(workers)
  for (const worker of workers) await worker.ask('work')
  const endMs = performance.now() + LONGEST_MS
  for (;;) {
    const { count, seconds } = await progress(bench, from, to)
    if (count === bookings) {
      const after = cpuMs(workers)
      for (const worker of workers) await worker.ask('rest')
      const cpuMicros = before === null || after === null ? null : ((after - before) * 1_000) / bookings
      return { perSecond: bookings / seconds, cpuMicros }
    }
    if (performance.now() > endMs) throw new Error(`Only ${count} of ${bookings} due deliveries were booked.`)
    await sleep(LOOK_EVERY_MS)
  }
}

async function repeated(bench: Bench, clients: number): Promise<Speed> {
  const { client, statements, bookings, database, environment } = bench
  await copies(bench, DUE)
  const [from, to] = await copies(bench, CLAIMED)
  const perSecond = await environment.limit.run(
    { statements, clients, numbers: { from, count: bookings } },
    database.url,
  )
  await client.query('update deliveries set due_at = null where due_at is not null')
  const { count } = await progress(bench, from, to)
  if (count !== bookings) throw new Error(`The limit booked ${count} of ${bookings}.`)
  return { perSecond }
}

/** Adds the deliveries of one run, and returns their first and last number. */
async function copies(bench: Bench, changes: Record<string, string>): Promise<[from: number, to: number]> {
  const [from, to] = [bench.copied + 1, bench.copied + bench.bookings]
  bench.copied = to
  await copyDelivery(bench.database.url, bench.original, { from, to, changes })
  return [from, to]
}

async function progress(
  { client, original }: Bench,
  from: number,
  to: number,
): Promise<{ count: number; seconds: number }> {
  const { rows } = await client.query(
    `select count(*)::int as count, extract(epoch from max(booked_at) - min(booked_at))::float8 as seconds
     from deliveries where account_id = 'demo' and status = 'booked' and delivery_id between $1 and $2`,
    [numbered(original.deliveryId, from), numbered(original.deliveryId, to)],
  )
  return rows[0]
}

function cpuMs(workers: readonly Child[]): number | null {
  const all = workers.map(({ pid }) => processFigures(pid)?.cpuMs)
  return all.every((one) => one !== undefined) ? all.reduce((sum, one) => sum + one, 0) : null
}

/** Created by the service, and due in a week: workers book only the copies. */
async function aDueLater(database: BenchDatabase): Promise<Original> {
  const service = await startService(database.home, database.url)
  try {
    const reference = `DUE-${'0'.repeat(10)}`
    const body = { ...deliveryBody(reference), delivery_type: 'fast', suppress_notifications: true }
    const { data } = (await service.call('POST /demo/deliveries', { body })) as { data: { id: string } }
    return { deliveryId: data.id, reference }
  } finally {
    await service.stop()
  }
}
