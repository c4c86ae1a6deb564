import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from '../oracle/seeded.ts'
import { ACCOUNTS, type AccountName } from './account.ts'
import { type Breach, check } from './checker.ts'
import { gather, pages, readOn } from './evidence.ts'
import type { Evidence } from './found.ts'
import { chaosJobs, type Job } from './jobs.ts'
import { type InjectedFault, type Plan, runNemesis } from './nemesis.ts'
import { chaosSchedule } from './schedule.ts'
import { provoked } from './seed-bugs.ts'
import type { PlantName } from './seeded-bugs.ts'
import { keepShop } from './shop.ts'
import { type House, startHouse } from './system-under-test.ts'
import { type Waits, type Watch, watchDatabase } from './watch.ts'

export type ChaosOptions = {
  seed: number
  plan: Plan
  /** Creates a second. */
  rate: number
  /** Between two acts; null: as the schedule says, two or so a second. */
  pauseMs: number | null
  plants: readonly PlantName[]
  /** Bugs that are not planted, but what brings them to light is done. */
  provoke: readonly PlantName[]
  /** How long peace may last without headway until no work waits, and then again until all is told. */
  restPatienceMs: number
  /** Hears how far it is, of 1, and what is being done. */
  told(share: number, what: string): void
}

export type ChaosResult = {
  options: Pick<ChaosOptions, 'seed' | 'plan' | 'rate' | 'plants'>
  seconds: number
  faults: InjectedFault[]
  breaches: Breach[]
  evidence: Evidence
  /** From the last act until everything was at rest. */
  restMs: number
  lapses: Waits
  unknowns: Waits
}

const LOOK_MS = 2_000
/** Work that waits for its next try by the account's clock is not waited for by ours. */
const STEP_MINUTES = 4
const READINGS = 10
/** Longer than any courier is on his way. */
const TRIP_MINUTES = 180
/** A booking that was given up is looked for 10 minutes, an hour and a day later. */
const LOOKS_MINUTES = [11, 60, 24 * 60]
/** The retries of webhooks: 5 s, 5 min, 30 min, 2 h and so on. */
const WEBHOOK_STEPS_MINUTES = [6, 35, 130, 310, 610, 850]

/** One run: chaos while a shop is kept, then peace until all is at rest, then everything is held against the promises. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, plan, rate, pauseMs, plants, provoke, restPatienceMs, told } = options
  const chance = seeded(seed ^ 0x9a27)
  told(0, 'building the house')
  const house = await startHouse({ plants }, () => chance.below(1_000_000) / 1_000_000)
  const watch = watchDatabase(house.db)
  const began = performance.now()
  try {
    await up(house)
    let over = false
    const kept = keepShop(house.client, chaosJobs(seed, rate), {
      nowMs: house.clock.nowMs,
      over: () => over,
    })
    const beats = provoked(chaosSchedule(seed, pauseMs), [...plants, ...provoke])
    const faults = await runNemesis(house, beats, plan, (share, { act }) => told(share, act.kind))
    over = true
    const peaceMs = performance.now()
    told(1, 'peace')
    const jobs = await kept
    await rest(house, watch, restPatienceMs)
    const restMs = performance.now() - peaceMs
    const evidence = await atRest(house, jobs, () => rest(house, watch, restPatienceMs))
    return {
      options: { seed, plan, rate, plants },
      seconds: (performance.now() - began) / 1_000,
      faults,
      breaches: check(evidence),
      evidence,
      restMs,
      lapses: watch.lapses(),
      unknowns: watch.unknowns(),
    }
  } finally {
    watch.stop()
    await house.stop()
  }
}

/** The evidence as it stands between two events: read anew, when all couriers on their way have come, until it does. */
async function atRest(house: House, jobs: readonly Job[], rested: () => Promise<void>): Promise<Evidence> {
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const evidence = await gather(house, jobs)
    if (evidence) return evidence
    await house.clock.forward(TRIP_MINUTES, true)
    await rested()
  }
  throw new Error(`Something was told during each of ${READINGS} readings.`)
}

async function up({ members }: House): Promise<void> {
  while (!(['api-1', 'api-2', 'worker-1', 'worker-2', 'worker-3'] as const).every(members.isUp))
    await sleep(50)
}

/**
 * Until no booking, no cancel and no manifest waits, no stray booking is asked back, none that was given up is looked
 * for, and every receiver has heard everything; or patience ends, each time.
 */
async function rest(house: House, watch: Watch, patienceMs: number): Promise<void> {
  await withRetries(patienceMs, async (isHeadway) => {
    const waiting = await waitingIn(house)
    const left = waiting.filter(isTakenOut)
    await Promise.all(left.map((one) => isManifest(one) || doByHand(house, one)))
    for (const one of left.filter(isManifest)) await resolveBookingManually(house, one)
    // By the clock a carrier forgets keys and the account loses patience: it waits while there is headway.
    const open = waiting.length + (await watch.openOrphans())
    if (!isHeadway(open)) await house.clock.forward(STEP_MINUTES)
    return open === 0
  })
  const looks = [...LOOKS_MINUTES]
  await withRetries(patienceMs, async (isHeadway) => {
    const [open, orphans] = [await watch.openLooks(), await watch.openOrphans()]
    if (!isHeadway(open + orphans)) await house.clock.forward(looks.shift() ?? STEP_MINUTES)
    return open + orphans === 0
  })
  const steps = [...WEBHOOK_STEPS_MINUTES]
  const told: string[] = []
  let after: string | null = null
  await withRetries(patienceMs, async (isHeadway) => {
    const read = await readOn(house, after)
    told.push(...read.ids)
    after = read.next
    const unheard = house.receivers.map(({ hooks }) => {
      const taken = new Set(hooks.flatMap((hook) => (hook.taken ? [hook.id] : [])))
      return told.filter((id) => !taken.has(id)).length
    })
    const left = unheard.reduce((sum, count) => sum + count, 0)
    const step = isHeadway(left) ? undefined : steps.shift()
    if (step) await house.clock.forward(step)
    return left === 0 && read.ids.length === 0
  })
}

type Waiting = {
  account: AccountName
  id: string
  reference: string
  status: string
  status_reason?: string
  pending_cancellation?: object
}

/** What may wait: cancels are of what is booked, or with its courier. */
const LISTS = [
  ...['created', 'requested', 'on_hold', 'booked', 'assigned'].map(
    (status) => `/deliveries?status=${status}`,
  ),
  '/manifests',
]
/** Of deliveries and manifests: whatever something will be done about by itself. */
const WAITS = new Set(['created', 'requested', 'submitting'])

async function waitingIn(house: House): Promise<Waiting[]> {
  const found: Waiting[] = []
  for (const account of ACCOUNTS) {
    for (const path of LISTS) {
      for (const one of await pages(house, account, path)) if (isWaiting(one)) found.push({ ...one, account })
    }
  }
  return found
}

/** A cancel that its carrier has not answered, and a booking on hold that it is asked about, wait as well. */
function isWaiting(one: Waiting): boolean {
  const { status, status_reason = '', pending_cancellation } = one
  if (WAITS.has(status) || pending_cancellation !== undefined) return true
  return status === 'on_hold' && (ASKED_ABOUT.test(status_reason) || (isManifest(one) && isTakenOut(one)))
}

function isManifest({ id }: Waiting): boolean {
  return id.startsWith('man_')
}

const ASKED_ABOUT = /we go on asking/

/** What eight workers have died over is left to people, who ask for it by name. */
function isTakenOut({ status_reason = '' }: Waiting): boolean {
  return status_reason.startsWith('Taken out of the queue')
}

async function doByHand(
  { client }: House,
  { account, reference, pending_cancellation }: Waiting,
): Promise<void> {
  const [operation, verb] = pending_cancellation
    ? (['cancel', 'request-cancel'] as const)
    : (['book', 'book'] as const)
  const path = `/deliveries/${reference}/${verb}`
  await client.ask({ account, reference, operation, method: 'PATCH', path })
}

/** As a clerk does who has asked the carrier: whether it has the order, and under which number. */
async function resolveBookingManually({ client, networks }: House, { account, id }: Waiting): Promise<void> {
  const ledger = (await Promise.all(networks.map((network) => network.ledger()))).flat()
  const order = ledger.find(({ what, key }) => what === 'ordered' && key === id)
  const body = order ? { submitted: true, order_id: order.names[0] } : { submitted: false }
  const path = `/manifests/${id}/settle-submit`
  await client.ask({
    account,
    reference: id,
    operation: 'settle',
    method: 'PATCH',
    path,
    body,
    key: `settle-${id}`,
  })
}

/**
 * Until it is so, or nothing has become less for so long: whoever still waits then is found by the checker, by name.
 * `isHeadway` is to hear how much is left, at each look.
 */
async function withRetries(
  ms: number,
  isSo: (isHeadway: (left: number) => boolean) => Promise<boolean>,
): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY
  let endMs = performance.now() + ms
  const isHeadway = (left: number) => {
    if (left >= fewest) return false
    fewest = left
    endMs = performance.now() + ms
    return true
  }
  while (!(await isSo(isHeadway)) && performance.now() < endMs) await sleep(LOOK_MS)
}
