import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, accepted, inFlight, nameOf, type Reply } from '../../test/harness/http.ts'
import { type Feed, readFeed } from './feed.ts'
import { DAY_FROM_MS, DAY_TO_MS, type DayJob } from './plan.ts'
import type { Shop } from './shop.ts'

/** How far the clock moves: small steps through the day, large steps afterwards. */
export type Pace = { dayStepMinutes: number; laterStepHours: number }

/** The service's responses; texts are kept only for errors. */
export type Played = {
  /** Reference → id. */
  created: Map<string, string>
  amended: Set<string>
  cancelled: Set<string>
  /** `create 422 no_service_available` → references. */
  refused: Map<string, string[]>
  feed: Feed
}

type Moment = { nowMs: number; created: number; ended: number }
export type ReportProgress = (moment: Moment) => void

export type DayOptions = {
  seed: number
  count: number
  operatorToken: string
  /** Settings of the service that the run starts. */
  env: Readonly<Record<string, string>>
  onProgress: ReportProgress
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A bit over two weeks: Big Haul takes nine business days, counted from its next run if the first was missed. */
const FOLLOWED_MS = 17 * 24 * HOUR_MS
export const IN_FLIGHT = 32
/** After this long without an event, all due work is done. */
const QUIET_MS = 600
const LOOK_MS = 150
/** Longer than any carrier's retries. Work that is still in flight then continues at a later clock time. */
const LONGEST_STEP_MS = 60_000

/** Plays the jobs through their day and the two weeks after it. */
export async function runDay(
  shop: Shop,
  jobs: readonly DayJob[],
  pace: Pace,
  onProgress: ReportProgress,
): Promise<Played> {
  const played = nothingPlayed(shop)
  const { created } = played
  const cancels = jobs.filter(({ cancelAtMs }) => cancelAtMs !== null)
  for (const [fromMs, toMs] of steps(pace)) {
    await shop.setClock(fromMs)
    const report = (): void =>
      onProgress({ nowMs: fromMs, created: created.size, ended: played.feed.ended() })
    report()
    await inFlight(
      jobs.filter(({ createAtMs }) => createAtMs >= fromMs && createAtMs < toMs),
      IN_FLIGHT,
      async (job) => {
        await create(shop, job, played)
        if (created.size % 25 === 0) report()
      },
    )
    const due = cancels.filter(({ cancelAtMs }) => cancelAtMs! >= fromMs && cancelAtMs! < toMs)
    await inFlight(due, IN_FLIGHT, (job) => cancel(shop, job, played))
    // During the day the clock does not wait for slow carriers; later it waits for every poll.
    await untilQuiet(played.feed, report, () => (fromMs < DAY_TO_MS ? 0 : workInFlight(shop.operator)))
    if (fromMs > DAY_TO_MS && played.feed.ended() >= created.size) break
  }
  return played
}

function steps({ dayStepMinutes, laterStepHours }: Pace): [number, number][] {
  const found: [number, number][] = []
  let at = DAY_FROM_MS
  while (at <= DAY_FROM_MS + FOLLOWED_MS) {
    const next = at + (at < DAY_TO_MS ? dayStepMinutes * MINUTE_MS : laterStepHours * HOUR_MS)
    found.push([at, next])
    at = next
  }
  return found
}

export function nothingPlayed({ ask }: Shop): Played {
  return {
    created: new Map(),
    amended: new Set(),
    cancelled: new Set(),
    refused: new Map(),
    feed: readFeed(ask),
  }
}

export async function create(
  { ask }: Shop,
  { reference, body, amendment }: DayJob,
  played: Played,
): Promise<void> {
  const reply = await ask('POST /deliveries', { body, headers: { 'idempotency-key': reference } })
  if (reply.status !== 201) return refuse(played, 'create', reference, reply)
  played.created.set(reference, reply.json.data.id)
  if (!amendment) return
  const amended = await ask(`PATCH /deliveries/${reply.json.data.id}/amend`, { body: amendment })
  if (amended.status === 200) played.amended.add(reference)
  else refuse(played, 'amend', reference, amended)
}

export async function cancel({ ask }: Shop, { reference }: DayJob, played: Played): Promise<void> {
  const id = played.created.get(reference)
  if (id === undefined) return
  const body = { reason: 'The customer changed it.' }
  const reply = await ask(`PATCH /deliveries/${id}/request-cancel`, { body })
  if (reply.status === 200) played.cancelled.add(reference)
  else refuse(played, 'cancel', reference, reply)
}

export function refuse({ refused }: Played, verb: string, reference: string, reply: Reply): void {
  const name = `${verb} ${nameOf(reply)}`
  refused.set(name, [...(refused.get(name) ?? []), reference])
}

/** Polling continues without events, so workers must also have no work in flight. */
export async function untilQuiet(
  feed: Feed,
  report: () => void,
  inFlight: () => number | Promise<number>,
): Promise<void> {
  const startMs = performance.now()
  let busyAtMs = startMs
  for (;;) {
    const updates = await feed.read()
    if (updates > 0) report()
    if (updates > 0 || (await inFlight()) > 0) busyAtMs = performance.now()
    const nowMs = performance.now()
    if (nowMs - busyAtMs > QUIET_MS || nowMs - startMs > LONGEST_STEP_MS) return
    await sleep(LOOK_MS)
  }
}

export async function workInFlight(operator: Ask): Promise<number> {
  const { text: metrics } = await accepted(operator('GET /metrics'), 'The metrics')
  const lines = metrics.matchAll(/^drover_work_in_flight\{[^}]*source="deliveries"[^}]*\} (\d+)/gm)
  return [...lines].reduce((sum, [, rows]) => sum + Number(rows), 0)
}

/** The time of the simulated day, and the progress of its deliveries. */
export function progressText({ nowMs, created, ended }: Moment, total: number): string {
  const now = new Date(nowMs).toLocaleString('en-AU', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    timeZone: 'Australia/Melbourne',
  })
  return `${now}  created ${created}/${total}, ended ${ended}`
}
