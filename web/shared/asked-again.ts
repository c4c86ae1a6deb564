import { problemOf } from './problem.ts'

/** Nobody is left before an empty page for longer: what is to wait longer is said. */
const LONGEST_WAIT_S = 60
const MAX_PAUSE_MS = 30_000
const MAX_ATTEMPTS = 2

/**
 * What the server has refused, it refuses again. What was lost on the way is asked for again, and what came too fast
 * as soon as the server lets it, however often.
 */
export function isAskedAgain(failures: number, error: unknown): boolean {
  const { status, retryAfterSeconds } = problemOf(error)
  if (status === 429 && retryAfterSeconds !== null) return retryAfterSeconds <= LONGEST_WAIT_S
  return failures < MAX_ATTEMPTS && (status === 0 || status === 429 || status >= 500)
}

/** Until then it is left alone. `spread`, from 0 to 1, keeps those apart that were told to come back at once. */
export function pauseMs(failures: number, error: unknown, spread = Math.random()): number {
  const { status, retryAfterSeconds } = problemOf(error)
  if (status === 429 && retryAfterSeconds !== null) return (retryAfterSeconds + spread) * 1_000
  return Math.min(MAX_PAUSE_MS, 1_000 * 2 ** failures)
}
