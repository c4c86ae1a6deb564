import type { AccountName } from '../chaos/account.ts'
import { type JobMix, makeJobs } from '../chaos/jobs.ts'
import { WORKERS } from '../chaos/members.ts'
import type { Profile } from '../chaos/profile.ts'
import { type Act, killAct, type ScheduledFault } from '../chaos/schedule.ts'
import { exampleDocument } from '../demo-account.ts'
import { NO_LIMITS } from '../harness/accounts.ts'
import { CARTON } from '../harness/orders.ts'
import { pickByShare, type Random, seeded } from '../harness/random.ts'
import { startSandboxCarriers } from './sandbox-carriers.ts'

export type KillOptions = {
  seed: number
  jobs: number
  /** For how long processes are killed. */
  seconds: number
  /** Null: as in production. */
  leaseMs: number | null
  /** How long a worker is sometimes stopped; null: never. */
  freezeMs: number | null
}

/** Jobs end before the kills do, so that each of them may meet one. */
const JOBS_UNTIL = 0.6
/** Past the account's time limit, so that deliveries without a reachable carrier are left to clerks. */
const GIVE_UP_MINUTES = 300
/** A kill can only hit a call that takes some time. */
const CARRIER_DELAY_MS = 150
/** Southern's time-out is shorter than its slow bookings take: they complete after Drover gave up on them. */
const TIMEOUT_MS: Record<string, number> = { swiftly: 4_000, southern_parcels: 1_000, big_haul: 4_000 }

/** Kills on the sandbox's carriers, one for each way to learn the outcome of a booking, with a fate for each job. */
export function killProfile({ seed, jobs, seconds, leaseMs, freezeMs }: KillOptions): Profile {
  const bookedNowUntilMs = seconds * 1_000 * JOBS_UNTIL * BOOKED_NOW_UNTIL
  const mix: JobMix = {
    kinds: KINDS,
    fates: FATES,
    bookNow: (atMs) => (atMs < bookedNowUntilMs ? BOOKED_NOW : 0),
  }
  return {
    opensAt: '2026-11-24T10:00:00+11:00',
    accountDocument: demoDocument,
    secrets: {},
    startCarriers: startSandboxCarriers,
    carrierDelayMs: CARRIER_DELAY_MS,
    envOf: (urlOf) => ({
      SANDBOX_URL: urlOf('sandbox'),
      ...(leaseMs === null ? {} : { LEASE_MS: `${leaseMs}` }),
    }),
    receivers: [],
    hasSmallDisk: false,
    manifestGroup: null,
    jobs: firstOf(jobs, makeJobs(mix, seed, jobs / (seconds * JOBS_UNTIL))),
    schedule: killSchedule(seed, freezeMs),
    hasClerk: false,
    onlyStaffKnow: /^Big Haul .*cannot look the booking up/,
    // If the clock moved while workers take over, the account would give up instead of booking. A delivery on hold has
    // already been given up.
    clockStepMinutes: (left) =>
      left.every(({ reference, status }) => reference.endsWith('-down') || status === 'on_hold')
        ? GIVE_UP_MINUTES
        : 0,
  }
}

function* firstOf<T>(count: number, all: Iterable<T>): Generator<T> {
  let left = count
  for (const one of all) {
    if (left-- === 0) return
    yield one
  }
}

/** The demo account with short time-outs. */
function demoDocument(account: AccountName): { tenant_id: string } {
  const document = exampleDocument('demo-account')
  for (const carrier of document.carriers) carrier.settings = { timeout_ms: TIMEOUT_MS[carrier.provider] }
  return { ...document, tenant_id: account, name: account, limits: NO_LIMITS }
}

/** Outcomes at the sandbox's carriers, by the reference's end. */
const FATES = ['-lost-answer', '-lost-answer', '-slow', '-slow', '-down', '-rejected', '', '']
/**
 * Booked inside the request, so that killing the API kills a booking. Only early, because their keys stay locked for
 * 60 s.
 */
const BOOKED_NOW = 0.3
const BOOKED_NOW_UNTIL = 0.2

const PALLET = {
  ...{ reference: 'P1', quantity: 1, type: 'pallet' },
  ...{ length_cm: 110, width_cm: 110, height_cm: 120, weight_kg: 300 },
}
const RICHMOND = { address: '1 Swan St', city: 'Richmond', state: 'VIC', post_code: '3121', country: 'AU' }
const BALLARAT = {
  address: '12 Beach Rd',
  city: 'Ballarat Central',
  state: 'VIC',
  post_code: '3350',
  country: 'AU',
}

const KINDS: JobMix['kinds'] = [
  { name: 'swiftly', fields: { delivery_type: 'fast', address: RICHMOND, parcels: [CARTON] } },
  { name: 'southern', fields: { delivery_type: 'standard', address: BALLARAT, parcels: [CARTON] } },
  { name: 'haul', fields: { delivery_type: 'standard', address: BALLARAT, parcels: [PALLET] } },
]

const PAUSE_MS = 300

/** Shares of a hundred faults. */
const STOPPED = 15
const DISCONNECTED = 10

/** Kills, about one a second; or the database drops all connections in the middle of their statements. */
function* killSchedule(seed: number, freezeMs: number | null): Generator<ScheduledFault> {
  const random = seeded(seed ^ 0x5eed)
  for (;;) yield { pauseMs: PAUSE_MS, act: actOf(random, freezeMs) }
}

function actOf(random: Random, freezeMs: number | null): Act {
  const others: readonly (readonly [number, Act])[] = [
    [freezeMs === null ? 0 : STOPPED, { kind: 'freeze', member: random.pick(WORKERS), ms: freezeMs ?? 0 }],
    [DISCONNECTED, { kind: 'disconnect' }],
  ]
  return pickByShare(others, ([share]) => share, random.below(100))?.[1] ?? killAct(random)
}
