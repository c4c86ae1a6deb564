import { toProblem } from './problem.ts'

/** The longest automatic pause: for a longer one the user gets a message instead of an empty page. */
const LONGEST_WAIT_S = 60
const MAX_PAUSE_MS = 30_000
const MAX_ATTEMPTS = 2

/**
 * Rejected requests are not retried. Lost requests are, and rate-limited ones as soon as the server allows it, any
 * number of times.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  const { status, retryAfterSeconds } = toProblem(error)
  if (status === 429 && retryAfterSeconds !== null) return retryAfterSeconds <= LONGEST_WAIT_S
  return failures < MAX_ATTEMPTS && (status === 0 || status === 429 || status >= 500)
}

/** The time until the retry. `spread`, from 0 to 1, separates clients that got the same Retry-After. */
export function pauseMs(failures: number, error: unknown, spread = Math.random()): number {
  const { status, retryAfterSeconds } = toProblem(error)
  if (status === 429 && retryAfterSeconds !== null) return (retryAfterSeconds + spread) * 1_000
  return Math.min(MAX_PAUSE_MS, 1_000 * 2 ** failures)
}
