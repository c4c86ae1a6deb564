import type { SandboxConsignment } from './sandbox-store.ts'
import { type Scenario, scenarioOf } from './scenario.ts'

/** The steps of a consignment, which every sandbox carrier maps to its own codes. */
export type Step =
  | 'assigned'
  | 'approaching'
  | 'collected'
  | 'in_transit'
  | 'out_for_delivery'
  | 'delivered'
  | 'damaged'
  | 'refused'
  | 'pending_return'
  | 'returned'
  | 'cancelled'

/** `atMs`: when it happened by the carrier's clock. `reportedAtMs`: when the carrier reports it. */
export type ProgressEvent = { id: string; step: Step; atMs: number; reportedAtMs: number }

export type Journey = {
  /** Couriers name a driver who picks it up; networks collect on a scheduled run. */
  by: 'courier' | 'network'
  scenario: Scenario
  bookedAtMs: number
  readyAtMs: number
  window: { fromMs: number; toMs: number }
}

/**
 * Everything that will happen to a consignment, in the order of its reporting; all times are account time.
 *
 * It is collected when it is ready and delivered in the middle of its window, and nothing happens before it
 * was booked: a booking that is too late for its window arrives late.
 */
export function progress(journey: Journey): ProgressEvent[] {
  const happened = steps(journey).map(({ step, atMs }, index) => ({
    id: `${index + 1}`,
    step,
    atMs,
    reportedAtMs: atMs,
  }))
  if (journey.scenario === 'duplicate-events') return happened.flatMap((event) => [event, event])
  if (journey.scenario === 'late-events') return late(happened)
  return happened
}

/** When the parcels leave the sender: after this the carrier refuses to cancel. */
export function collectedAtMs(journey: Journey): number {
  return Math.max(journey.readyAtMs, journey.bookedAtMs + SOONEST_PICKUP_MS)
}

const MINUTE_MS = 60_000
// Leaves a minute each for assigned and approaching when a job is booked at its pickup time.
const SOONEST_PICKUP_MS = 3 * MINUTE_MS
const SHORTEST_TRIP_MS = 4 * MINUTE_MS
const RETURN_TRIP_MS = 240 * MINUTE_MS
const LATE_MS = 20 * MINUTE_MS

type TimedStep = { step: Step; atMs: number }

function steps(journey: Journey): TimedStep[] {
  const { by, scenario, bookedAtMs, window } = journey
  const collected = collectedAtMs(journey)
  const middle = Math.floor((window.fromMs + window.toMs) / 2)
  const atDoor = Math.max(middle, collected + SHORTEST_TRIP_MS)
  const quarter = Math.floor((atDoor - collected) / 4)
  const halfWay = collected + 2 * quarter
  // A network's van leaves on the morning of delivery, not halfway through the days in between.
  const onBoard = by === 'network' ? Math.max(halfWay, Math.min(window.fromMs, atDoor - MINUTE_MS)) : halfWay

  const toPickup: TimedStep[] = [
    { step: 'assigned', atMs: Math.max(bookedAtMs + MINUTE_MS, collected - 30 * MINUTE_MS) },
    { step: 'approaching', atMs: Math.max(bookedAtMs + 2 * MINUTE_MS, collected - 10 * MINUTE_MS) },
  ]
  return [
    ...(by === 'courier' ? toPickup : []),
    { step: 'collected', atMs: collected },
    ...(by === 'network' ? [{ step: 'in_transit' as const, atMs: collected + quarter }] : []),
    ...toEnd(scenario, { halfWay, onBoard, atDoor }),
  ]
}

function toEnd(
  scenario: Scenario,
  { halfWay, onBoard, atDoor }: { halfWay: number; onBoard: number; atDoor: number },
): TimedStep[] {
  const back: TimedStep[] = [
    { step: 'pending_return', atMs: atDoor + MINUTE_MS },
    { step: 'returned', atMs: atDoor + RETURN_TRIP_MS },
  ]
  if (scenario === 'damaged') return [{ step: 'damaged', atMs: halfWay }, ...back]

  const out: TimedStep = { step: 'out_for_delivery', atMs: onBoard }
  if (scenario === 'returned') return [out, { step: 'refused', atMs: atDoor }, ...back]
  return [out, { step: 'delivered', atMs: atDoor }]
}

/** Reports every other event only after the one that follows it: late, and out of order. */
function late(events: ProgressEvent[]): ProgressEvent[] {
  return events
    .map((event, index) => {
      if (index % 2 === 1) return event
      const next = events[index + 1] ?? event
      return { ...event, reportedAtMs: next.atMs + LATE_MS }
    })
    .sort((a, b) => a.reportedAtMs - b.reportedAtMs)
}

/** What a carrier reads from its own request: courier or network, the ready time, and the delivery window. */
export type Plan = Pick<Journey, 'by' | 'readyAtMs' | 'window'>

/** A plan with the scenario of its reference. */
export function journeyOf(
  { merchantReference, bookedAtMs }: Pick<SandboxConsignment, 'merchantReference' | 'bookedAtMs'>,
  plan: Plan,
): Journey {
  return { ...plan, bookedAtMs, scenario: scenarioOf(merchantReference) }
}

/**
 * All events of a consignment in the order of their reporting; a cancelled one has no more after the cancel.
 */
export function updatesOf(consignment: SandboxConsignment, plan: Plan): ProgressEvent[] {
  const events = progress(journeyOf(consignment, plan))
  const { cancelledAtMs } = consignment
  if (cancelledAtMs === null) return events
  return [
    ...events.filter(({ atMs }) => atMs < cancelledAtMs),
    { id: 'cancelled', step: 'cancelled', atMs: cancelledAtMs, reportedAtMs: cancelledAtMs },
  ]
}

/** The events that the carrier has reported by now. */
export function updatesBy(nowMs: number, consignment: SandboxConsignment, plan: Plan): ProgressEvent[] {
  return updatesOf(consignment, plan).filter(({ reportedAtMs }) => reportedAtMs <= nowMs)
}
