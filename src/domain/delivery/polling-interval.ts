import type { Status } from './status.ts'
import { STRANDED } from './tracking-updates.ts'

/** How soon news of a delivery is wanted; the smaller, the sooner it is asked for. */
export type Urgency = 0 | 1 | 2

/** Multiples of the carrier's usual pause, by urgency. */
const PACES = [1 / 3, 1, 4] as const
const HOUR_MS = 3_600_000
/** About to be handed over, or something is the matter. */
const HOT: ReadonlySet<string | null> = new Set(['out_for_delivery', 'attempted', 'damaged', 'delayed'])

/** Urgent is what is at the door or should be; calm what is not awaited before tomorrow. */
export function urgencyOf(
  {
    status,
    subStatus,
    windowFromMs,
  }: { status: Status; subStatus: string | null; windowFromMs: number | null },
  nowMs: number,
): Urgency {
  if (status === 'approaching' || HOT.has(subStatus)) return 0
  if (windowFromMs === null) return 1
  if (windowFromMs <= nowMs + 2 * HOUR_MS) return 0
  return windowFromMs > nowMs + 24 * HOUR_MS ? 2 : 1
}

const SILENT_AFTER_MS = 48 * HOUR_MS

/** Whether a carrier that gave it up on the way has said nothing since for so long that it is asked no more. */
export function isSilent(
  { subStatus, newsAtMs }: { subStatus: string | null; newsAtMs: number | null },
  nowMs: number,
): boolean {
  return subStatus === STRANDED && newsAtMs !== null && nowMs - newsAtMs > SILENT_AFTER_MS
}

/** The pause until news is asked for again, in milliseconds. */
export function pollIntervalMs(urgency: Urgency, usualMs: number): number {
  return Math.round(usualMs * PACES[urgency])
}

const MINUTE_MS = 60_000

/** The pause, made longer to end with a whole minute: due together, asked together. One request takes as many as it can. */
export function untilWholeMinuteMs(nowMs: number, pauseMs: number): number {
  return Math.ceil((nowMs + pauseMs) / MINUTE_MS) * MINUTE_MS - nowMs
}
