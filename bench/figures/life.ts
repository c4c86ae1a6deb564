import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { setClock } from '../../test/harness/accounts.ts'
import { asker } from '../../test/harness/http.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { smsGateway } from '../../test/sms-gateway.ts'
import { startBenchDatabase } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import { HOST, liftLimits, OPERATOR, type Service, startService } from '../environment/service.ts'
import { deliveryBody } from './delivery.ts'
import { atMost, type Figure } from './figure.ts'
import { sentDuring } from './statements.ts'

/** A Tuesday morning, when every store of the demo account is open. */
const START_MS = Date.parse('2026-11-24T10:00:00+11:00')
const HOUR_MS = 3_600_000
const MAX_HOURS = 24 * 14
const CONNECTIONS = 8
const LONGEST_MS = 60_000
const LOOK_EVERY_MS = 25

/** Statements by which an idle process asks whether there is work: their number depends on time, not on deliveries. */
const POLLS: ReadonlySet<string> = new Set(['find-due-accounts', 'read-accounts-digest'])
/** The simulated carriers' own statements. */
const SANDBOX = /sandbox/

/** Tables that keep rows of a delivery for as long as the delivery is kept. */
const KEPT = ['deliveries', 'messages', 'events', 'booking_intents', 'carrier_events', 'audit_log']

/**
 * What a delivery costs from create to door, with an SMS and an e-mail at each of three steps: the statements of the
 * product and the bytes that are kept, with indexes and without bloat. Counted, not timed.
 */
export async function lifeFigures({ plan }: Environment): Promise<Figure[]> {
  const stops: (() => unknown)[] = []
  try {
    const database = await startBenchDatabase()
    stops.push(() => database.stop())
    const sms = await smsGateway({ after: (stop) => stops.push(stop as () => unknown) })
    const mails = await startMailServer()
    stops.push(() => mails.stop())
    const env = { SMS_URL: sms.url, SMTP_URL: mails.url }
    const service = await startService(database.home, database.url, { env })
    stops.push(() => service.stop())
    const db = new pg.Client({ connectionString: database.url })
    await db.connect()
    stops.push(() => db.end())
    await liftLimits(service)
    const before = await keptBytes(db)
    const moves = await clockMoves({ service })
    let hours = 0
    const sent = await sentDuring({ service }, async () => {
      hours = await live(service, db, plan.lives)
    })
    const bytes = await keptBytes(db)
    const ofLives = new Map([...sent].map(([name, count]) => [name, count - hours * (moves.get(name) ?? 0)]))
    if (sms.received.length + mails.mails.length !== 6 * plan.lives)
      throw new Error(
        `${sms.received.length} SMS and ${mails.mails.length} mails for ${plan.lives} deliveries.`,
      )
    return [statementsFigure(ofLives, plan.lives), bytesFigure(before, bytes, plan.lives)]
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** The statements of one move of the account's clock, on average, while it has no delivery. */
async function clockMoves({ service }: { service: Service }): Promise<Map<string, number>> {
  const moves = 4
  const sent = await sentDuring({ service }, async () => {
    for (let move = 0; move < moves; move++) await moveClock(service, START_MS + move)
  })
  return new Map([...sent].map(([name, count]) => [name, count / moves]))
}

async function moveClock(service: Service, nowMs: number): Promise<void> {
  await setClock(asker(`http://${HOST}:${service.port}`, OPERATOR), 'demo', () => nowMs)
}

/** Creates the deliveries, and moves the account's clock by the hour until they are delivered; returns the hours. */
async function live(service: Service, db: pg.Client, lives: number): Promise<number> {
  let nowMs = START_MS
  await moveClock(service, nowMs)
  let made = 0
  const create = async (): Promise<void> => {
    while (made < lives) {
      const body = {
        ...deliveryBody(`LIFE-${++made}`),
        ready_for_pickup_at: new Date(START_MS).toISOString(),
      }
      await service.call('POST /demo/deliveries', { body: { ...body, suppress_notifications: false } })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, create))
  for (let hour = 0; hour < MAX_HOURS; hour++) {
    if ((await settled(db, nowMs)) === lives) return hour + 1
    nowMs += HOUR_MS
    await moveClock(service, nowMs)
  }
  throw new Error(`Not all of ${lives} deliveries were delivered within ${MAX_HOURS} hours.`)
}

/** Waits until nothing is due; returns the number of deliveries that have been delivered. */
async function settled(db: pg.Client, nowMs: number): Promise<number> {
  const endMs = performance.now() + LONGEST_MS
  for (;;) {
    const { rows } = await db.query<{ delivered: number; due: number }>(
      `select count(*) filter (where status = 'delivered')::int as delivered,
        (count(*) filter (where due_at <= $1 or lease_until is not null)
          + (select count(*) from messages where status = 'queued'))::int as due
       from deliveries where account_id = 'demo'`,
      [new Date(nowMs)],
    )
    const [{ delivered, due }] = rows as [{ delivered: number; due: number }]
    if (due === 0) return delivered
    if (performance.now() > endMs) throw new Error(`${due} rows are still due.`)
    await sleep(LOOK_EVERY_MS)
  }
}

function statementsFigure(sent: ReadonlyMap<string, number>, lives: number): Figure {
  const ours = [...sent].filter(([name, count]) => count > 0 && !POLLS.has(name) && !SANDBOX.test(name))
  const each = (count: number) => count / lives
  const named = [...ours]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${each(count).toFixed(2)} ${name}`)
  return {
    name: 'statements in a delivery’s life, with six messages',
    goal: atMost(12, 6),
    value: each(ours.reduce((sum, [, count]) => sum + count, 0)),
    unit: 'statements',
    beside: named.join(', '),
  }
}

function bytesFigure(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  lives: number,
): Figure {
  const each = KEPT.map(
    (table) => [table, ((after.get(table) ?? 0) - (before.get(table) ?? 0)) / lives] as const,
  )
  return {
    name: 'kilobytes kept of a delivery',
    goal: atMost(12.5, 6),
    value: each.reduce((sum, [, bytes]) => sum + bytes, 0) / 1_000,
    unit: 'kB',
    beside: each.map(([table, bytes]) => `${bytes.toFixed(0)} B ${table}`).join(', '),
  }
}

/** The size of each table with its indexes, after `vacuum full`. */
async function keptBytes(db: pg.Client): Promise<Map<string, number>> {
  await db.query(`vacuum full ${KEPT.join(', ')}`)
  const { rows } = await db.query<{ name: string; bytes: number }>(
    `select name, pg_total_relation_size(name::regclass)::float8 as bytes from unnest($1::text[]) as name`,
    [KEPT],
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}
