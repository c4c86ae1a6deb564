import pg from 'pg'
import { startMailServer } from '../../test/mail-server.ts'
import { smsGateway } from '../../test/sms-gateway.ts'
import { startBenchDatabase } from '../environment/database.ts'
import type { Environment } from '../environment/environment.ts'
import {
  isProductStatement,
  LIFE_START_MS,
  lifeBody,
  measureClockMove,
  runDeliveries,
} from '../environment/lives.ts'
import { liftLimits, startService } from '../environment/service.ts'
import { atMost, type Figure } from './figure.ts'
import { sentDuring } from './statements.ts'

/** Tables that keep rows of a delivery for as long as the delivery is kept. */
export const KEPT = ['deliveries', 'messages', 'events', 'booking_intents', 'carrier_events', 'audit_log']

/**
 * What a delivery costs from create to proof of delivery, with an SMS and an email at each of three steps: the statements of the
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
    const moves = await measureClockMove(service, LIFE_START_MS)
    const bodies = Array.from({ length: plan.lives }, (_, n) => lifeBody(`LIFE-${n + 1}`, LIFE_START_MS))
    let moved = 0
    const sent = await sentDuring({ service }, async () => {
      moved = await runDeliveries(service, db, { bodies, startMs: LIFE_START_MS })
    })
    const bytes = await keptBytes(db)
    const ofLives = new Map([...sent].map(([name, count]) => [name, count - moved * (moves.get(name) ?? 0)]))
    if (sms.received.length + mails.mails.length !== 6 * plan.lives)
      throw new Error(
        `Expected ${6 * plan.lives} messages, but received ${sms.received.length} SMS and ${mails.mails.length} emails.`,
      )
    return [statementsFigure(ofLives, plan.lives), bytesFigure(before, bytes, plan.lives)]
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

function statementsFigure(sent: ReadonlyMap<string, number>, lives: number): Figure {
  const ours = [...sent].filter(([name, count]) => count > 0 && isProductStatement(name))
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
    name: 'kilobytes kept for each delivery',
    goal: atMost(10.8, 6),
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
