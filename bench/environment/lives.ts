import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { setClock } from '../../test/harness/accounts.ts'
import { asker } from '../../test/harness/http.ts'
import { deliveryBody } from '../figures/delivery.ts'
import { sentDuring } from '../figures/statements.ts'
import { HOST, OPERATOR, type Service } from './service.ts'

/** A Tuesday morning, when every store of the demo account is open. */
export const LIFE_START_MS = Date.parse('2026-11-24T10:00:00+11:00')
const HOUR_MS = 3_600_000
const LONGEST_LIFE_MS = 24 * 14 * HOUR_MS
const CONNECTIONS = 8
const LONGEST_MS = 60_000
const LOOK_EVERY_MS = 25

/** Statements by which an idle process asks whether there is work: their number depends on time, not on deliveries. */
const POLLS: ReadonlySet<string> = new Set(['find-due-accounts', 'read-accounts-digest'])
/** The simulated carriers' own statements. */
const SANDBOX = /sandbox/

/** Whether a statement is work of the product: neither a poll of an idle process nor a simulated carrier's. */
export function isProductStatement(statement: string): boolean {
  return !POLLS.has(statement) && !SANDBOX.test(statement)
}

/** A delivery that is ready at once and whose customer gets every message. */
export function lifeBody(reference: string, readyMs: number): Record<string, unknown> {
  return {
    ...deliveryBody(reference),
    ready_for_pickup_at: new Date(readyMs).toISOString(),
    suppress_notifications: false,
  }
}

/** The statements of one move of the account's clock, on average, while it has no open delivery. */
export async function measureClockMove(service: Service, startMs: number): Promise<Map<string, number>> {
  const moves = 4
  const sent = await sentDuring({ service }, async () => {
    for (let move = 0; move < moves; move++) await moveClock(service, startMs + move)
  })
  return new Map([...sent].map(([name, count]) => [name, count / moves]))
}

export async function moveClock(service: Service, nowMs: number): Promise<void> {
  await setClock(asker(`http://${HOST}:${service.port}`, OPERATOR), 'demo', () => nowMs)
}

/** Creates the deliveries, and moves the account's clock on until they have ended; returns the number of moves. */
export async function runDeliveries(
  service: Service,
  db: pg.Client,
  { bodies, startMs, stepMs = HOUR_MS }: { bodies: readonly object[]; startMs: number; stepMs?: number },
): Promise<number> {
  await moveClock(service, startMs)
  const left = [...bodies]
  const create = async (): Promise<void> => {
    for (let body = left.shift(); body; body = left.shift()) {
      await service.call('POST /demo/deliveries', { body })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, create))
  return finishAll(service, db, { startMs, stepMs })
}

/**
 * Moves the account's clock on from `startMs`, which it shows already, until every delivery of the account has ended;
 * returns the number of moves, with the one to `startMs`.
 */
export async function finishAll(
  service: Service,
  db: pg.Client,
  { startMs, stepMs }: { startMs: number; stepMs: number },
): Promise<number> {
  for (let moves = 1, nowMs = startMs; nowMs <= startMs + LONGEST_LIFE_MS; moves++) {
    if ((await openWhenSettled(db, nowMs)) === 0) return moves
    nowMs += stepMs
    await moveClock(service, nowMs)
  }
  throw new Error('Not all deliveries ended within fourteen days.')
}

/** Waits until nothing is due; returns the number of deliveries that are still open. */
async function openWhenSettled(db: pg.Client, nowMs: number): Promise<number> {
  const endMs = performance.now() + LONGEST_MS
  for (;;) {
    const { rows } = await db.query<{ open: number; due: number }>(
      `select count(*)::int as open, ((
          select count(*) from deliveries
          where account_id = 'demo' and due_at is not null and (due_at <= $1 or lease_until is not null)
        ) + (select count(*) from messages where account_id = 'demo' and due_at is not null))::int as due
       from deliveries where account_id = 'demo' and status not in ('delivered', 'returned', 'cancelled')`,
      [new Date(nowMs)],
    )
    const [{ open, due }] = rows as [{ open: number; due: number }]
    if (due === 0) return open
    if (performance.now() > endMs) throw new Error(`${due} rows are still due.`)
    await sleep(LOOK_EVERY_MS)
  }
}
