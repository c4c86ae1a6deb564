const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 10 * 60_000

/**
 * How long to wait before asking carriers again: doubling from 2 s to 10 min, spread by up to a fifth either
 * way so that deliveries that failed together do not come back together. `chance` is in [0, 1).
 */
export function retryBackoffMs(tries: number, chance: number): number {
  return spread(tries, LONGEST_PAUSE_MS, chance)
}

/** Nobody was asked, so nobody is spared by waiting: a carrier may be switched on again, or answer, at any moment. */
const LONGEST_UNASKED_MS = 30_000

/** The same where there was no carrier to ask: from 2 s to 30 s. */
export function unreachableBackoffMs(tries: number, chance: number): number {
  return spread(tries, LONGEST_UNASKED_MS, chance)
}

/**
 * With the lease of an asker who died (30 s) a booking in doubt is asked about within a minute. The breaker spares its
 * carrier.
 */
const LONGEST_DOUBT_MS = 20_000

/** The same for a booking whose answer is not known: from 2 s to 20 s. */
export function unknownOutcomeBackoffMs(tries: number, chance: number): number {
  return spread(tries, LONGEST_DOUBT_MS, chance)
}

function spread(tries: number, longestMs: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), longestMs)
  return Math.round(pause * (0.8 + 0.4 * chance))
}
