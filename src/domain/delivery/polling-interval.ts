import type { Status } from './status.ts'
import { STRANDED } from './tracking-updates.ts'

/** How urgently we need tracking updates for a delivery: the smaller, the sooner we poll. */
export type Urgency = 0 | 1 | 2

/** Multiples of the carrier's usual interval, by urgency. */
const PACES = [1 / 3, 1, 4] as const
const HOUR_MS = 3_600_000
/** About to be handed over, or something is wrong. */
const HOT: ReadonlySet<string | null> = new Set(['out_for_delivery', 'attempted', 'damaged', 'delayed'])

/**
 * Most urgent: a delivery that is close to its handover, or late. Least urgent: a delivery that is not expected before
 * tomorrow.
 */
export function getUrgency(
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

/**
 * Whether a carrier that gave the delivery up in transit has sent no update for so long that we stop polling
 * it.
 */
export function isSilent(
  { subStatus, updatesDueAtMs }: { subStatus: string | null; updatesDueAtMs: number | null },
  nowMs: number,
): boolean {
  return subStatus === STRANDED && updatesDueAtMs !== null && nowMs - updatesDueAtMs > SILENT_AFTER_MS
}

/** The interval until the next poll, in milliseconds. */
export function pollIntervalMs(urgency: Urgency, usualMs: number): number {
  return Math.round(usualMs * PACES[urgency])
}

const MINUTE_MS = 60_000

/**
 * Lengthens the interval to end on a whole minute, so that deliveries come due together. One request polls as
 * many as the carrier allows.
 */
export function untilWholeMinuteMs(nowMs: number, pauseMs: number): number {
  return Math.ceil((nowMs + pauseMs) / MINUTE_MS) * MINUTE_MS - nowMs
}
