import { setTimeout as sleep } from 'node:timers/promises'
import { type CleanUps, owned, withCleanUps } from '../harness/clean-ups.ts'
import { pages } from '../harness/http.ts'
import { untilUp } from '../harness/members.ts'
import type { Database } from '../harness/options.ts'
import { type Breach, findBreaches } from '../harness/promises.ts'
import { seeded } from '../harness/random.ts'
import { type Waits, type Watch, watchDatabase } from '../harness/watch.ts'
import { ACCOUNTS, type AccountName } from './account.ts'
import type { Evidence } from './evidence.ts'
import { gatherEvidence, isLeftToStaff, readOn } from './gather-evidence.ts'
import type { Job } from './jobs.ts'
import { MEMBERS } from './members.ts'
import { type InjectedFault, type Plan, runNemesis } from './nemesis.ts'
import type { Profile } from './profile.ts'
import { DEAD_LETTERED } from './promises/timelines.ts'
import { PROMISES, type PromiseName } from './promises.ts'
import type { SeededBugName } from './seeded-bugs.ts'
import { keepShop } from './shop.ts'
import { type SystemUnderTest, startSystem } from './system-under-test.ts'

export type ChaosOptions = {
  seed: number
  profile: Profile
  plan: Plan
  seededBugs: readonly SeededBugName[]
  database: Database
  /** Receives the progress, from 0 to 1, and the current activity. */
  onProgress(share: number, what: string): void
}

export type ChaosResult = {
  options: Pick<ChaosOptions, 'seed' | 'seededBugs'>
  seconds: number
  faults: InjectedFault[]
  breaches: Breach<PromiseName>[]
  evidence: Evidence
  /** From the last fault until all work was done. */
  restMs: number
  lapses: Waits
  unknowns: Waits
}

const LOOK_MS = 2_000
/** How long the run waits without progress: first for pending work, then for events that are not delivered. */
const REST_PATIENCE_MS = 180_000
/** A seeded bug may leave work that never ends. */
const SEEDED_BUG_PATIENCE_MS = 15_000
const READINGS = 10
/** Longer than any courier's trip. */
const TRIP_MINUTES = 180
/** A look-up of a booking that was given up runs 10 minutes, an hour and a day later. */
const LOOKS_MINUTES = [11, 60, 24 * 60]
/** The retries of webhooks: 5 s, 5 min, 30 min, 2 h and so on. */
const WEBHOOK_STEPS_MINUTES = [6, 35, 130, 310, 610, 850]

/** One run: faults while clients work, then a wait until all work is done, then the check of every promise. */
export function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  return withCleanUps((cleanUps) => runOnce(cleanUps, options))
}

async function runOnce(cleanUps: CleanUps, options: ChaosOptions): Promise<ChaosResult> {
  const { seed, profile, plan, seededBugs, database, onProgress } = options
  const restPatienceMs = seededBugs.length > 0 ? SEEDED_BUG_PATIENCE_MS : REST_PATIENCE_MS
  const chance = seeded(seed ^ 0x9a27)
  onProgress(0, 'starting the system under test')
  const system = await startSystem(
    cleanUps,
    { profile, seededBugs, database },
    () => chance.below(1_000_000) / 1_000_000,
  )
  const watch = owned(cleanUps, watchDatabase(system.db))
  const began = performance.now()
  await untilUp(system.members, MEMBERS)
  let over = false
  const keeping = keepShop(system.client, profile.jobs, {
    nowMs: system.clock.nowMs,
    over: () => over,
    manifestGroup: profile.manifestGroup,
  })
  const faults = await runNemesis(system, profile.schedule, plan, (share, { act }) =>
    onProgress(share, act.kind),
  )
  over = true
  const faultsEndedMs = performance.now()
  onProgress(1, 'waiting until all work is done')
  const jobs = await keeping
  await rest(system, watch, restPatienceMs)
  const restMs = performance.now() - faultsEndedMs
  const evidence = await atRest(system, jobs, () => rest(system, watch, restPatienceMs))
  return {
    options: { seed, seededBugs },
    seconds: (performance.now() - began) / 1_000,
    faults,
    breaches: findBreaches(PROMISES, evidence),
    evidence,
    restMs,
    lapses: watch.lapses(),
    unknowns: watch.unknowns(),
  }
}

/** Gathers the evidence, and repeats this if an event arrives meanwhile. All couriers must have arrived before. */
async function atRest(
  system: SystemUnderTest,
  jobs: readonly Job[],
  rested: () => Promise<void>,
): Promise<Evidence> {
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const evidence = await gatherEvidence(system, jobs)
    if (evidence) return evidence
    await system.clock.forward(TRIP_MINUTES, true)
    await rested()
  }
  throw new Error(`An event was published during each of ${READINGS} readings.`)
}

/**
 * Waits until no booking, cancellation or manifest is pending, no orphaned booking is being cancelled, no look-up is
 * left, and every receiver has every event. Each wait ends after `patienceMs` without progress.
 */
async function rest(system: SystemUnderTest, watch: Watch, patienceMs: number): Promise<void> {
  await withRetries(patienceMs, async (isHeadway) => {
    const waiting = await waitingIn(system, await watch.rechecked())
    const left = waiting.filter(isTakenOut)
    await Promise.all(left.map((one) => isManifest(one) || doByHand(system, one)))
    for (const one of left.filter(isManifest)) await resolveBookingManually(system, one)
    // The clock stays while there is progress: if it moved, carriers would forget keys and the account would give
    // up.
    const open = waiting.length + (await watch.openOrphans())
    const stepMinutes = isHeadway(open) ? 0 : system.profile.clockStepMinutes(waiting)
    if (stepMinutes > 0) await system.clock.forward(stepMinutes)
    return open === 0
  })
  const looks = [...LOOKS_MINUTES]
  await withRetries(patienceMs, async (isHeadway) => {
    const [open, orphans] = [await watch.openLooks(), await watch.openOrphans()]
    if (!isHeadway(open + orphans))
      await system.clock.forward(looks.shift() ?? system.profile.clockStepMinutes([]))
    return open + orphans === 0
  })
  const steps = [...WEBHOOK_STEPS_MINUTES]
  const published: string[] = []
  let after: string | null = null
  await withRetries(patienceMs, async (isHeadway) => {
    const read = await readOn(system, after)
    published.push(...read.ids)
    after = read.next
    const unheard = system.receivers.map(({ hooks }) => {
      const accepted = new Set(hooks.flatMap((hook) => (hook.accepted ? [hook.id] : [])))
      return published.filter((id) => !accepted.has(id)).length
    })
    const left = unheard.reduce((sum, count) => sum + count, 0)
    const step = isHeadway(left) ? undefined : steps.shift()
    if (step) await system.clock.forward(step)
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

/** Pending work; a cancellation counts if the delivery is booked or with its courier. */
const LISTS = [
  ...['created', 'requested', 'on_hold', 'booked', 'assigned'].map(
    (status) => `/deliveries?status=${status}`,
  ),
  '/manifests',
]
/** Deliveries and manifests that a worker will still act on. */
const WAITS = new Set(['created', 'requested', 'submitting'])

async function waitingIn(system: SystemUnderTest, rechecked: ReadonlySet<string>): Promise<Waiting[]> {
  const found: Waiting[] = []
  for (const account of ACCOUNTS) {
    for (const path of LISTS) {
      for (const one of await pages<Waiting>(system.readers[account], path))
        if (isWaiting(system, one, rechecked)) found.push({ ...one, account })
    }
  }
  return found
}

/**
 * Also pending: a cancellation that the carrier has not answered, and a booking on hold that Drover will look up again.
 * `rechecked` says which: at a carrier without a look-up Drover doesn't, although the reason on hold reads the same.
 */
function isWaiting(system: SystemUnderTest, one: Waiting, rechecked: ReadonlySet<string>): boolean {
  const { id, status, pending_cancellation } = one
  if (isLeftToStaff(system, one) || (isTakenOut(one) && !system.profile.hasClerk)) return false
  if (WAITS.has(status) || pending_cancellation !== undefined) return true
  return status === 'on_hold' && (rechecked.has(id) || (isManifest(one) && isTakenOut(one)))
}

function isManifest({ id }: Waiting): boolean {
  return id.startsWith('man_')
}

/** Dead-lettered after eight workers died on it: it waits until a clerk requeues it. */
function isTakenOut({ status_reason = '' }: Waiting): boolean {
  return DEAD_LETTERED.test(status_reason)
}

async function doByHand(
  { client }: SystemUnderTest,
  { account, reference, pending_cancellation }: Waiting,
): Promise<void> {
  const [operation, verb] = pending_cancellation
    ? (['cancel', 'request-cancel'] as const)
    : (['book', 'book'] as const)
  await client.ask(operation, `PATCH /deliveries/${reference}/${verb}`, { account, reference })
}

/** Does what a clerk does who has asked the carrier whether it has the order, and for its number. */
async function resolveBookingManually(
  { client, readLedger }: SystemUnderTest,
  { account, id }: Waiting,
): Promise<void> {
  const { orders } = await readLedger([])
  const order = orders.find(({ reference }) => reference === id)
  const body = order ? { submitted: true, order_id: order.id } : { submitted: false }
  const request = { account, reference: id, body, key: `settle-${id}` }
  await client.ask('settle', `PATCH /manifests/${id}/settle-submit`, request)
}

/**
 * Waits until `isSo`, or until there has been no progress for `ms`: the checker then reports the rest by name. At each
 * look, `isSo` passes the number of open cases to `isHeadway`, which returns whether it has fallen.
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
