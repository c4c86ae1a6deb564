import { fateOf } from './fate.ts'
import { type Journey, type ProgressEvent, progress } from './progress.ts'
import type { SandboxConsignment } from './sandbox-store.ts'

/** What a carrier reads out of its own request: who carries it, from when, and when it is awaited. */
export type Plan = Pick<Journey, 'by' | 'readyAtMs' | 'window'>

/** A plan and the fate that its reference asks for. */
export function journeyOf(
  { merchantReference, bookedAtMs }: Pick<SandboxConsignment, 'merchantReference' | 'bookedAtMs'>,
  plan: Plan,
): Journey {
  return { ...plan, bookedAtMs, fate: fateOf(merchantReference) }
}

/** All news of a consignment in the order it is told; a cancelled one has no more after that. */
export function newsOf(consignment: SandboxConsignment, plan: Plan): ProgressEvent[] {
  const events = progress(journeyOf(consignment, plan))
  const { cancelledAtMs } = consignment
  if (cancelledAtMs === null) return events
  return [
    ...events.filter(({ atMs }) => atMs < cancelledAtMs),
    { id: 'cancelled', step: 'cancelled', atMs: cancelledAtMs, toldAtMs: cancelledAtMs },
  ]
}

/** The news that the carrier has told by now. */
export function newsBy(nowMs: number, consignment: SandboxConsignment, plan: Plan): ProgressEvent[] {
  return newsOf(consignment, plan).filter(({ toldAtMs }) => toldAtMs <= nowMs)
}
