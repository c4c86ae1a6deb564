const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 10 * 60_000

/**
 * How long to wait before asking carriers again: doubling from 2 s to 10 min, spread by up to a fifth either
 * way so that deliveries that failed together do not come back together. `chance` is in [0, 1).
 */
export function retryPauseMs(tries: number, chance: number): number {
  return spread(tries, LONGEST_PAUSE_MS, chance)
}

/** Where a booking may stand, its people wait for no more than the answer: 48 s at most. The breaker spares the carrier. */
const LONGEST_DOUBT_MS = 40_000

/** The same for a booking whose answer is not known: from 2 s to 40 s. */
export function doubtPauseMs(tries: number, chance: number): number {
  return spread(tries, LONGEST_DOUBT_MS, chance)
}

function spread(tries: number, longestMs: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), longestMs)
  return Math.round(pause * (0.8 + 0.4 * chance))
}
