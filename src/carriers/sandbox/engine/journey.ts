import { type Journey, type ProgressEvent, progress } from './progress.ts'
import type { SandboxConsignment } from './sandbox-store.ts'
import { scenarioOf } from './scenario.ts'

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
