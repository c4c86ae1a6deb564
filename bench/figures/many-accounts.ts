import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { copyDemoRows } from '../environment/accounts.ts'
import { type BenchDatabase, startBenchDatabase } from '../environment/database.ts'
import type { Environment, Plan } from '../environment/environment.ts'
import { idlePostgresCpuMs } from '../environment/postgres-cpu.ts'
import { processFigures } from '../environment/process-figures.ts'
import { type Service, startService } from '../environment/service.ts'
import { deliveryBody } from './delivery.ts'
import { atMost, type Figure } from './figure.ts'

/** Maximum starts with each number of accounts. The fastest counts: other work on the machine only slows a start. */
const MAX_STARTS = 3

type Seen = { startMs: number; memoryMb: number; postgresMs: number }

/**
 * What many accounts cost a service that does nothing: its start, its memory, and PostgreSQL's CPU time for its polls.
 * Each account has a delivery on its way and a webhook endpoint.
 */
export async function manyAccountFigures({ plan }: Environment): Promise<Figure[]> {
  const database = await startBenchDatabase()
  const db = new pg.Client({ connectionString: database.url })
  try {
    // The first start creates the demo accounts and leaves compiled code for later ones.
    const first = await startService(database.home, database.url)
    try {
      await first.call('POST /demo/deliveries', { body: deliveryBody('ON-ITS-WAY') })
      await first.call('POST /demo/webhook-endpoints', { body: ENDPOINT })
    } finally {
      await first.stop()
    }
    await db.connect()
    const few = await look(database, db, plan)
    await copyDemoRows(db, TABLES, plan.accounts)
    await db.query('vacuum analyze')
    const many = await look(database, db, plan)
    if (!few || !many) return []
    const accounts = plan.accounts.toLocaleString('en')
    const beside = (unit: string, value: keyof Seen) =>
      `${many[value].toFixed(0)} ${unit}, ${few[value].toFixed(0)} with two`
    return [
      {
        name: `extra start time with ${accounts} accounts instead of two`,
        goal: atMost(1_000, 200),
        value: many.startMs - few.startMs,
        unit: 'ms',
        beside: beside('ms', 'startMs'),
      },
      {
        name: `extra idle memory with ${accounts} accounts instead of two`,
        goal: atMost(30, 10),
        value: many.memoryMb - few.memoryMb,
        unit: 'MB',
        beside: beside('MB', 'memoryMb'),
      },
      {
        name: `PostgreSQL’s CPU time a second for an idle service, ${accounts} accounts`,
        goal: atMost(10, 5),
        value: many.postgresMs,
        unit: 'ms',
        beside: beside('ms', 'postgresMs'),
      },
    ]
  } finally {
    await db.end()
    await database.stop()
  }
}

const ENDPOINT = { url: 'https://shop.example/drover', event_types: ['delivery.booked'] }

async function look(database: BenchDatabase, db: pg.Client, plan: Plan): Promise<Seen | null> {
  const starts: number[] = []
  for (let n = 1; n < Math.min(MAX_STARTS, plan.rounds); n++) {
    const [service, ms] = await startTimed(database)
    starts.push(ms)
    await service.stop()
  }
  const [service, ms] = await startTimed(database)
  starts.push(ms)
  try {
    const quietMs = Math.max(1_000, plan.quietMs)
    await sleep(quietMs)
    const postgresMs = await idlePostgresCpuMs(db, quietMs)
    const figures = processFigures(service.pid)
    return figures && { startMs: Math.min(...starts), memoryMb: figures.memoryMb, postgresMs }
  } finally {
    await service.stop()
  }
}

async function startTimed({ home, url }: BenchDatabase): Promise<[Service, number]> {
  const beganMs = performance.now()
  const service = await startService(home, url)
  return [service, performance.now() - beganMs]
}

/** What an account consists of, in the order of the foreign keys. */
const TABLES = [
  'accounts',
  'account_versions',
  'event_sequences',
  'brands',
  'stores',
  'deliveries',
  'webhook_endpoints',
]
