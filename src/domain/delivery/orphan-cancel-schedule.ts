import { retryBackoffMs } from './backoff.ts'

/** By then the courier has collected it or never will; staff must resolve the rest. */
const RETRY_FOR_MS = 48 * 3_600_000

/**
 * Orphaned booking: when to ask the carrier again to cancel it, `attempts` after it was found. Backoff from 2 s
 * on, and one last try at the end of two days; null: no further attempts. Account time; `chance` is in [0, 1).
 */
export function nextOrphanCancelMs(
  { foundAtMs, attempts }: { foundAtMs: number; attempts: number },
  nowMs: number,
  chance: number,
): number | null {
  const endMs = foundAtMs + RETRY_FOR_MS
  return nowMs >= endMs ? null : Math.min(nowMs + retryBackoffMs(attempts, chance), endMs)
}
