import { CRASHES, type Crash } from '../harness/crash-postgres.ts'
import { NETWORKS, type NetworkName } from '../harness/networks.ts'
import { pickByShare, type Random, seeded } from '../harness/random.ts'
import type { WireFault } from '../harness/tcp-proxy.ts'
import { APIS, MEMBERS, type Member, WORKERS } from './members.ts'

/**
 * The connection that a fault hits: a process's to the database, any process's to a carrier, or a client's to an
 * API.
 */
export type Wire =
  | { to: 'database'; of: Member }
  | { to: 'carrier'; of: string }
  | { to: 'api'; of: (typeof APIS)[number] }

export type Act =
  | { kind: 'kill'; members: readonly Member[] }
  | { kind: 'freeze'; member: Member; ms: number }
  | { kind: 'crash'; crash: Crash }
  | { kind: 'wire'; wire: Wire; fault: WireFault; ms: number }
  | { kind: 'cut'; wire: Wire; how: 'close' | 'reset' }
  /** As `drover fake` names it. */
  | { kind: 'carrier'; network: NetworkName; fault: Record<string, unknown> }
  | { kind: 'clock'; minutes: number }
  | { kind: 'disk'; ms: number }
  /** Citus adds a worker, or moves a shard. */
  | { kind: 'rebalance' }
  /** PostgreSQL drops all connections of processes and carriers. */
  | { kind: 'disconnect' }

/** `pauseMs`: the pause after the end of the previous fault. */
export type ScheduledFault = { pauseMs: number; act: Act }

/** A lease is 30 s: a process that sleeps longer wakes up after another took over its work. */
const FREEZE_MS = 34_000
/** Short enough for a delayed request to arrive before the look-up at its carrier, 20 s after the request. */
const HELD_MS = 4_000
const PAUSE_MS = 400
const JITTER_MS = 400
/** A move of a shard takes some seconds, and a crashed node ends it. */
const FAULTS_BETWEEN = 8

/** Shares of a hundred faults. */
const WEIGHTS: readonly (readonly [number, (chance: Random) => Act])[] = [
  [57, killAct],
  [10, ({ pick }) => ({ kind: 'crash', crash: pick(CRASHES) })],
  [9, wireAct],
  [6, ({ chance, pick }) => ({ kind: 'cut', wire: wireOf({ chance, pick }), how: pick(['close', 'reset']) })],
  [12, carrierAct],
  [2, ({ pick }) => ({ kind: 'freeze', member: pick(MEMBERS), ms: FREEZE_MS })],
  [2, ({ below }) => ({ kind: 'clock', minutes: 1 + below(5) })],
  [2, ({ below }) => ({ kind: 'disk', ms: 1_000 + below(2_000) })],
]

/**
 * The same seed makes the same endless list of faults; their effect depends on the machine. `pauseMs`: between two
 * faults.
 */
export function* chaosSchedule(seed: number, pauseMs: number | null = null): Generator<ScheduledFault> {
  const chance = seeded(seed ^ 0xc4a05)
  for (;;) {
    const usualMs = PAUSE_MS + chance.below(JITTER_MS)
    yield { pauseMs: pauseMs ?? usualMs, act: actOf(chance) }
  }
}

/** Adds a rebalancing after every few faults. */
export function* withRebalances(schedule: Iterable<ScheduledFault>): Generator<ScheduledFault> {
  let faults = 0
  for (const fault of schedule) {
    yield fault
    faults += 1
    if (faults % FAULTS_BETWEEN === 0) yield { pauseMs: 0, act: { kind: 'rebalance' } }
  }
}

function actOf(chance: Random): Act {
  const [, make] = pickByShare(WEIGHTS, ([share]) => share, chance.below(100)) ?? WEIGHTS[0]!
  return make(chance)
}

export function killAct({ chance, pick }: Random): Act {
  const members = chance(0.15) ? WORKERS : chance(0.2) ? [pick(APIS)] : [pick(WORKERS)]
  return { kind: 'kill', members }
}

function wireOf({ chance, pick }: Pick<Random, 'chance' | 'pick'>): Wire {
  if (chance(0.4)) return { to: 'database', of: pick(MEMBERS) }
  if (chance(0.7)) return { to: 'carrier', of: pick(NETWORKS) }
  return { to: 'api', of: pick(APIS) }
}

function wireAct(chance: Random): Act {
  const wire = wireOf(chance)
  const fault = chance.pick<WireFault>([
    { kind: 'delay', ms: 200 + chance.below(1_500) },
    { kind: 'black_hole' },
    { kind: 'drip', bytes: 40 },
    // Only carriers return garbage: responses of a database or of our API are not corrupted.
    wire.to === 'carrier' ? { kind: 'garbage' } : { kind: 'delay', ms: 50 },
  ])
  return { kind: 'wire', wire, fault, ms: 500 + chance.below(HELD_MS - 500) }
}

function carrierAct({ below, pick }: Random): Act {
  const network = pick(NETWORKS)
  const fault = pick<Record<string, unknown>>([
    { kind: 'lost' },
    { kind: 'cut' },
    { kind: 'garbled' },
    { kind: 'slow', ms: 3_200 + below(4_000) },
    { kind: 'slow_answer', ms: 3_200 + below(4_000) },
    { kind: 'status', status: pick([429, 500, 502, 503]) },
    { kind: 'failed_answer', status: pick([400, 409, 422]) },
    // Only carriers with a look-up may leave a booking out; the other carriers find it by its key.
    network === 'auspost' ? { kind: 'empty', operation: 'get_shipments' } : { kind: 'lost' },
  ])
  return { kind: 'carrier', network, fault: { ...fault, times: 1 + below(4) } }
}
