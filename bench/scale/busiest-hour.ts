import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { finishAll, isProductStatement, lifeBody, measureClockMove, moveClock } from '../environment/lives.ts'
import { serverCpuMs } from '../environment/postgres-cpu.ts'
import { processFigures } from '../environment/process-figures.ts'
import { HOST, OPERATOR, type Service } from '../environment/service.ts'
import { sentDuring } from '../figures/statements.ts'
import { NUMBER, type Offer, type OfferResult, requestText, startGenerator } from '../load/load.ts'
import { sampleIds } from './reads.ts'
import { BIG_ACCOUNT, STEP_MS, weekdayMorningAfter } from './spread.ts'

/** Ten million deliveries a day, of which the busiest hour has 15 %: a hundredth of that hour's rate. */
export const CREATES_PER_SECOND = 4.2
/** How much of the account's time passes during the load: its clock is moved on, so that deliveries are on their way. */
const PLAYED_MS = 3 * 3_600_000
const MOVE_EVERY_MS = 5_000
const CONNECTIONS = 64

export type Answers = { name: string; offered: number; refused: number; p50Ms: number; p99Ms: number }

export type Hour = {
  seconds: number
  answers: Answers[]
  deliveries: number
  statementsADelivery: number
  /** Written-ahead log of a delivery's whole life. */
  walBytesADelivery: number
  /** CPU time for the load and all that follows from it, as cores during the load; null where the system does not say. */
  productCores: number | null
  postgresCores: number | null
  leftBehind: LeftBehind
}

/** What is due, leased, unsent, unpublished or given up when all deliveries have ended: nothing, or work was lost. */
export type LeftBehind = Record<'due' | 'leased' | 'messages' | 'events' | 'dead_lettered', number>

/** Plays a hundredth of the busiest hour, open loop, and follows its deliveries to the door. */
export async function playBusiestHour(
  service: Service,
  db: pg.Client,
  { minutes, isLocal }: { minutes: number; isLocal: boolean },
): Promise<Hour> {
  const startMs = weekdayMorningAfter(await accountNowMs(service))
  const moves = await measureClockMove(service, startMs - 60_000)
  const loads = await loadsOf(service, db, startMs)
  const generators = loads.map(() => startGenerator())
  const before = await usage(service, db, isLocal)
  let results: OfferResult[] = []
  let moved = 0
  try {
    const durationMs = minutes * 60_000
    const sent = await sentDuring({ service }, async () => {
      const load = Promise.all(
        loads.map(({ requests, perSecond }, n) =>
          generators[n]?.offer({ ...placeOf(service), requests, perSecond, durationMs }),
        ),
      )
      const steps = Math.max(1, Math.floor(durationMs / MOVE_EVERY_MS))
      for (let step = 0; step < steps; step++) {
        await moveClock(service, startMs + (step * PLAYED_MS) / steps)
        await sleep(durationMs / steps)
      }
      results = (await load) as OfferResult[]
      await moveClock(service, startMs + PLAYED_MS)
      moved = steps + (await finishAll(service, db, { startMs: startMs + PLAYED_MS, stepMs: STEP_MS }))
    })
    const after = await usage(service, db, isLocal)
    const [creates] = results as [OfferResult]
    const deliveries = creates.accepted.count
    const ours = [...sent].filter(([name]) => isProductStatement(name))
    const statements = ours.reduce((sum, [name, count]) => sum + count - moved * (moves.get(name) ?? 0), 0)
    const cores = (used: 'productMs' | 'postgresMs') =>
      before[used] === null || after[used] === null ? null : (after[used] - before[used]) / durationMs
    return {
      seconds: durationMs / 1_000,
      answers: results.map((result, n) => answersOf(loads[n]?.name as string, result)),
      deliveries,
      statementsADelivery: statements / deliveries,
      walBytesADelivery: (after.walBytes - before.walBytes) / deliveries,
      productCores: cores('productMs'),
      postgresCores: cores('postgresMs'),
      leftBehind: await countLeftBehind(db),
    }
  } finally {
    for (const generator of generators) await generator.stop()
  }
}

type Load = { name: string } & Pick<Offer, 'requests' | 'perSecond'>

/** The creates come first. Rates of the others follow from theirs. */
async function loadsOf(service: Service, db: pg.Client, readyMs: number): Promise<Load[]> {
  const run = Date.now().toString(36)
  const ask = (line: string, body?: object, key?: string) =>
    requestText(line, {
      host: HOST,
      token: service.token,
      ...(body && { body }),
      ...(key && { headers: { 'idempotency-key': key } }),
    })
  const create = (kind: 'standard' | 'fast') => {
    const reference = `HOUR-${run}-${kind}-${NUMBER}`
    return ask('POST /demo/deliveries', { ...lifeBody(reference, readyMs), delivery_type: kind }, reference)
  }
  const sample = await sampleIds(db, 50)
  return [
    { name: 'create', perSecond: CREATES_PER_SECOND, requests: [create('standard'), create('fast')] },
    {
      name: 'quote',
      perSecond: 10 * CREATES_PER_SECOND,
      requests: [ask('POST /demo/deliveries/quote-next-available', QUOTE_EXAMPLE)],
    },
    {
      name: 'get',
      perSecond: 10 * CREATES_PER_SECOND,
      requests: sample.map(({ id }) => ask(`GET /${BIG_ACCOUNT}/deliveries/${id}`)),
    },
    { name: 'list', perSecond: 0.5, requests: [ask(`GET /${BIG_ACCOUNT}/deliveries?limit=50`)] },
    { name: 'search', perSecond: 0.5, requests: [ask(`GET /${BIG_ACCOUNT}/deliveries?q=nguyen`)] },
  ]
}

function placeOf({ host, port }: Service) {
  return { host, port, connections: CONNECTIONS }
}

function answersOf(name: string, { offered, accepted }: OfferResult): Answers {
  return {
    name,
    offered,
    refused: offered - accepted.count,
    p50Ms: accepted.p50Ms ?? Number.NaN,
    p99Ms: accepted.p99Ms ?? Number.NaN,
  }
}

async function usage(service: Service, db: pg.Client, isLocal: boolean) {
  const { rows } = await db.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  )
  return {
    productMs: processFigures(service.pid)?.cpuMs ?? null,
    postgresMs: isLocal ? await serverCpuMs(db) : null,
    walBytes: rows[0]?.bytes ?? 0,
  }
}

async function countLeftBehind(db: pg.Client): Promise<LeftBehind> {
  const { rows } = await db.query<LeftBehind>(
    `with now as (select now() + clock_offset_ms * interval '1 ms' as at from accounts where account_id = $1)
     select (select count(*)::int from deliveries, now where account_id = $1 and due_at <= at) as due,
       (select count(*)::int from deliveries where account_id = $1 and due_at is not null and lease_until is not null)
         as leased,
       (select count(*)::int from messages where account_id = $1 and due_at is not null) as messages,
       (select count(*)::int from events where account_id = $1 and feed_position is null) as events,
       (select count(*)::int from deliveries where account_id = $1 and dead_lettered_at is not null) as dead_lettered`,
    [BIG_ACCOUNT],
  )
  return rows[0] as LeftBehind
}

async function accountNowMs(service: Service): Promise<number> {
  const answer = await service.call(`GET /admin/accounts/${BIG_ACCOUNT}/clock`, { bearer: OPERATOR })
  return Date.parse((answer as { data: { now: string } }).data.now)
}
