const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 10 * 60_000

/**
 * Backoff with jitter: the wait before carriers are tried again. Doubles from 2 s to 10 min, with ±20 %
 * jitter so that deliveries that failed together do not retry together. `chance` is in [0, 1).
 */
export function retryBackoffMs(tries: number, chance: number): number {
  return backoffMs(tries, MAX_PAUSE_MS, chance)
}

/** The most retries that `retryBackoffMs` allows within this time, up to `limit`. */
export function countRetriesWithin(forMs: number, limit: number): number {
  let retries = 0
  for (let atMs = retryBackoffMs(0, 0); atMs <= forMs && retries < limit; retries += 1)
    atMs += retryBackoffMs(retries + 1, 0)
  return retries
}

/**
 * No carrier received a call, so waiting spares no carrier: one may be switched on again, or respond, at any
 * moment.
 */
const MAX_UNREACHABLE_MS = 30_000

/** The same when no carrier could be called: from 2 s to 30 s. */
export function unreachableBackoffMs(tries: number, chance: number): number {
  return backoffMs(tries, MAX_UNREACHABLE_MS, chance)
}

/**
 * With the lease of a worker that died (30 s), a booking with an unknown outcome is resolved or retried
 * within a minute. The circuit breaker protects its carrier.
 */
const MAX_UNKNOWN_MS = 20_000

/** The same for a booking with an unknown outcome: from 2 s to 20 s. */
export function unknownOutcomeBackoffMs(tries: number, chance: number): number {
  return backoffMs(tries, MAX_UNKNOWN_MS, chance)
}

const MIN_CANCELLATION_MS = 15_000
const MAX_CANCELLATION_MS = 15 * 60_000

/** The pause before a cancellation without an answer is sent again: as long as it has been pending, 15 s to 15 min. */
export function cancellationBackoffMs(pendingMs: number, chance: number): number {
  const pause = Math.min(Math.max(pendingMs, MIN_CANCELLATION_MS), MAX_CANCELLATION_MS)
  return withJitter(pause, chance)
}

function backoffMs(tries: number, longestMs: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), longestMs)
  return withJitter(pause, chance)
}

function withJitter(pauseMs: number, chance: number): number {
  return Math.round(pauseMs * (0.8 + 0.4 * chance))
}
