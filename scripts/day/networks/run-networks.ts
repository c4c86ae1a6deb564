import { setTimeout as sleep } from 'node:timers/promises'
import { inFlight, pages } from '../../../test/harness/http.ts'
import { DAY_STORES } from '../places.ts'
import {
  cancel,
  create,
  IN_FLIGHT,
  nothingPlayed,
  type Played,
  type ReportProgress,
  refuse,
  untilQuiet,
  workInFlight,
} from '../run-day.ts'
import type { Shop } from '../shop.ts'
import { isAnyIn } from '../verify-day.ts'
import { courierStaff } from './courier-staff.ts'
import type { Fleet } from './fleet.ts'
import type { NetworkJob } from './jobs.ts'
import { bringRefusedBack, simulateJourneys } from './journeys.ts'
import { MOMENTS } from './timetable.ts'

const LOOK_MS = 1_000
/** A booking without a response is resolved within its carrier's settle time and a few backoff pauses. */
const SETTLED_WITHIN_MS = 90_000
/** A carrier's rate limit is per minute: after a longer pause without an event, there are no more at this time. */
const STILL_MS = 80_000

/** Plays the jobs through their day and the five after it: created, manifested, collected, delivered. */
export async function runNetworks(
  shop: Shop,
  fleet: Fleet,
  jobs: readonly NetworkJob[],
  onProgress: ReportProgress,
): Promise<Played> {
  const played = nothingPlayed(shop)
  const journeys = simulateJourneys(fleet, jobs)
  const goOn = courierStaff(
    fleet,
    shop.ask,
    new Map(jobs.map(({ reference, journey }) => [reference, journey])),
  )
  for (const { atMs, untilMs, handOver, awaited, broughtBack } of MOMENTS) {
    const report = (): void =>
      onProgress({ nowMs: atMs, created: played.created.size, ended: played.feed.ended() })
    const within = (ms: number | null): boolean => ms !== null && ms >= atMs && ms < untilMs
    await journeys.decideJourneys()
    if (broughtBack) await bringRefusedBack(fleet, jobs)
    await shop.setClock(atMs)
    await fleet.forward(atMs)
    report()
    const due = jobs.filter(({ createAtMs }) => within(createAtMs))
    await inFlight(due, IN_FLIGHT, async (job) => {
      await create(shop, job, played)
      await journeys.decideFate(job, played.created.get(job.reference))
    })
    await inFlight(
      jobs.filter(({ cancelAtMs }) => within(cancelAtMs)),
      IN_FLIGHT,
      (job) => cancel(shop, job, played),
    )
    await untilSettled(shop, played, report)
    if (handOver) {
      await handOverAll(shop, played, atMs)
      await untilSettled(shop, played, report)
    }
    await goOn()
    if (awaited) await untilNoneIs(shop, played, awaited, report)
  }
  return played
}

/** Every store's manifests, requested by two clerks at the same moment. */
async function handOverAll({ ask }: Shop, played: Played, atMs: number): Promise<void> {
  await inFlight(DAY_STORES, IN_FLIGHT / 4, async ({ reference }) => {
    const body = { store_reference: reference, create_manifest_now: true }
    const clerk = async (name: string): Promise<void> => {
      const headers = { 'idempotency-key': `${name}-${reference}-${atMs}` }
      const reply = await ask('POST /store-manifests', { body, headers })
      if (reply.status !== 201) refuse(played, 'manifest', reference, reply)
    }
    await Promise.all([clerk('one'), clerk('other')])
  })
}

/**
 * Waits until there are no new events and no pending responses: keys at carriers expire by the carriers'
 * clocks, which must not move forward while a key may have to be sent again.
 */
async function untilSettled(shop: Shop, played: Played, report: () => void): Promise<void> {
  await untilQuiet(played.feed, report, () => workInFlight(shop.operator))
  const endMs = performance.now() + SETTLED_WITHIN_MS
  while (performance.now() < endMs && (await isWaiting(shop))) {
    await sleep(LOOK_MS)
    if ((await played.feed.read()) > 0) report()
  }
}

/** A call in flight may still lose its response. */
async function isWaiting({ ask, operator }: Shop): Promise<boolean> {
  if ((await workInFlight(operator)) > 0) return true
  const open = await pages<{ status_reason?: string }>(ask, '/deliveries?status=requested')
  if (open.some(({ status_reason = '' }) => status_reason.includes('to say whether it accepted'))) return true
  const manifests = await pages<{ status: string }>(ask, '/manifests')
  return manifests.some(({ status }) => status === 'submitting')
}

/**
 * Carriers are polled within their rate limits, so this may take minutes. A poll that is retried only later,
 * because its response was lost, waits for the next moment; deliveries left after the last are stuck.
 */
async function untilNoneIs(
  { ask }: Shop,
  played: Played,
  statuses: readonly string[],
  report: () => void,
): Promise<void> {
  let updatesDueAtMs = performance.now()
  while (performance.now() - updatesDueAtMs < STILL_MS) {
    if (!(await isAnyIn(ask, statuses))) return
    await sleep(LOOK_MS)
    if ((await played.feed.read()) === 0) continue
    updatesDueAtMs = performance.now()
    report()
  }
}
