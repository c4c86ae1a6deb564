import { retryBackoffMs } from './backoff.ts'

/** By then its courier has come or never will: what is left is for people to say. */
const ASKED_FOR_MS = 48 * 3_600_000

/**
 * When to ask a carrier again to let a stray booking go, `tries` after it was found: from 2 s on ever more rarely, and
 * at the end of two days once more; null: no more. Account time; `chance` is in [0, 1).
 */
export function nextOrphanCancelMs(
  { foundAtMs, tries }: { foundAtMs: number; tries: number },
  nowMs: number,
  chance: number,
): number | null {
  const endMs = foundAtMs + ASKED_FOR_MS
  return nowMs >= endMs ? null : Math.min(nowMs + retryBackoffMs(tries, chance), endMs)
}
