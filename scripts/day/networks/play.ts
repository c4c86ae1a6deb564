import { setTimeout as sleep } from 'node:timers/promises'
import { good, inFlight } from '../door.ts'
import { DAY_STORES } from '../places.ts'
import {
  cancel,
  create,
  IN_FLIGHT,
  nothingPlayed,
  type Played,
  refuse,
  type Telling,
  untilQuiet,
  workInHand,
} from '../play.ts'
import { pages } from '../reckoning.ts'
import type { Shop } from '../shop.ts'
import type { Fleet } from './fleet.ts'
import type { NetworkJob } from './jobs.ts'
import { bringRefusedBack, roadPeople } from './road.ts'
import { MOMENTS } from './timetable.ts'
import { vanPeople } from './van.ts'

const LOOK_MS = 1_000
/** A booking without an answer is settled within its carrier's settle time and a few pauses. */
const SETTLED_WITHIN_MS = 90_000
/** A carrier's limit is a minute's: who heard nothing for longer hears nothing more at this time. */
const STILL_MS = 80_000

/** Plays the jobs through their day and the five after it: written, handed over, collected, brought to the door. */
export async function playNetworks(
  shop: Shop,
  fleet: Fleet,
  jobs: readonly NetworkJob[],
  tell: Telling,
): Promise<Played> {
  const played = nothingPlayed(shop)
  const people = roadPeople(fleet, jobs)
  const goOn = vanPeople(fleet, shop.ask, new Map(jobs.map(({ reference, journey }) => [reference, journey])))
  for (const { atMs, untilMs, handOver, awaited, broughtBack } of MOMENTS) {
    const told = (): void => tell({ nowMs: atMs, created: played.created.size, ended: played.feed.ended() })
    const within = (ms: number | null): boolean => ms !== null && ms >= atMs && ms < untilMs
    await people.decideJourneys()
    if (broughtBack) await bringRefusedBack(fleet, jobs)
    await shop.setClock(atMs)
    await fleet.forward(atMs)
    told()
    const due = jobs.filter(({ createAtMs }) => within(createAtMs))
    await inFlight(due, IN_FLIGHT, async (job) => {
      await create(shop, job, played)
      await people.decideFate(job, played.created.get(job.reference))
    })
    await inFlight(
      jobs.filter(({ cancelAtMs }) => within(cancelAtMs)),
      IN_FLIGHT,
      (job) => cancel(shop, job, played),
    )
    await untilSettled(shop, played, told)
    if (handOver) {
      await handOverAll(shop, played, atMs)
      await untilSettled(shop, played, told)
    }
    await goOn()
    if (awaited) await untilNoneIs(shop, played, awaited, told)
  }
  return played
}

/** What every store has, asked for by two clerks at the same moment. */
async function handOverAll({ ask }: Shop, played: Played, atMs: number): Promise<void> {
  await inFlight(DAY_STORES, IN_FLIGHT / 4, async ({ reference }) => {
    const body = { store_reference: reference, create_manifest_now: true }
    const clerk = async (name: string): Promise<void> => {
      const key = { 'idempotency-key': `${name}-${reference}-${atMs}` }
      const reply = await ask('POST', '/store-manifests', body, key)
      if (reply.status !== 201) refuse(played, 'manifest', reference, reply)
    }
    await Promise.all([clerk('one'), clerk('other')])
  })
}

/**
 * Until there is no news and no answer is waited for: keys at carriers end by their clocks, which must not be put forward
 * while one is to be sent again.
 */
async function untilSettled(shop: Shop, played: Played, told: () => void): Promise<void> {
  await untilQuiet(played.feed, told, () => workInHand(shop.operator))
  const endMs = performance.now() + SETTLED_WITHIN_MS
  while (performance.now() < endMs && (await isWaiting(shop))) {
    await sleep(LOOK_MS)
    if ((await played.feed.read()) > 0) told()
  }
}

/** A call that is under way may lose its answer yet. */
async function isWaiting({ ask, operator }: Shop): Promise<boolean> {
  if ((await workInHand(operator)) > 0) return true
  const open = await pages<{ status_reason?: string }>(ask, '/deliveries?status=requested&limit=200')
  if (open.some(({ status_reason = '' }) => status_reason.startsWith('Waiting to learn'))) return true
  const manifests = await pages<{ status: string }>(ask, '/manifests?limit=50')
  return manifests.some(({ status }) => status === 'submitting')
}

/**
 * Carriers are asked within their limits, so this may take minutes. What is asked for again only later, because its answer
 * was lost, waits for the next moment; whatever is left after the last is stuck.
 */
async function untilNoneIs(
  { ask }: Shop,
  played: Played,
  statuses: readonly string[],
  told: () => void,
): Promise<void> {
  let newsAtMs = performance.now()
  const isAny = async (status: string): Promise<boolean> =>
    good(await ask('GET', `/deliveries?limit=1&status=${status}`), 'The list').data.length > 0
  while (performance.now() - newsAtMs < STILL_MS) {
    if (!(await Promise.all(statuses.map(isAny))).some(Boolean)) return
    await sleep(LOOK_MS)
    if ((await played.feed.read()) === 0) continue
    newsAtMs = performance.now()
    told()
  }
}
