/** Those who wait for one thing that is done for many at once, counted; times are any clock's milliseconds. */
export type AdmissionQueue = {
  enter(nowMs: number): void
  leave(nowMs: number): void
  /** Whoever comes now is to be turned away. */
  shouldShed(nowMs: number): boolean
}

/** What is done in this time may wait: the line is then as long as the wait (Little's law). */
const WAIT_MS = 40
/** A full shared statement, or four of those that a turn of the event loop brings: the database is not idle. */
const LEAST = 128
/**
 * A burst is not refused: a line is too long only when it has been for so long. A process that has just started takes
 * half of it to read 500.
 */
const PATIENCE_MS = 1_000
/** Those of a shared statement leave together, and for that moment any line is short: it is when it has been for so long. */
const SHORT_MS = 300
/** Once too long, nobody is let in beyond its length until nobody has had to be turned away for so long. */
const CALM_MS = 1_000

/**
 * A line that may be long for a moment, and stands for no longer than `PATIENCE_MS`: from then on only as many wait as
 * are done in `WAIT_MS` at the rate just seen. Who is in it is never turned away. `behind`: how many stand behind those who entered.
 */
export function admissionQueue(behind = (): number => 0): AdmissionQueue {
  let length = 0
  let most = LEAST
  let done = 0
  let countedFromMs = Number.NEGATIVE_INFINITY
  let longSinceMs = Number.NEGATIVE_INFINITY
  let lastLongMs = Number.NEGATIVE_INFINITY
  let strictUntilMs = Number.NEGATIVE_INFINITY

  const count = (nowMs: number): void => {
    const tookMs = nowMs - countedFromMs
    if (tookMs < WAIT_MS) return
    most = Math.max(LEAST, Math.round((done * WAIT_MS) / tookMs))
    done = 0
    countedFromMs = nowMs
  }
  return {
    enter(nowMs) {
      length += 1
      if (length + behind() <= most) return
      if (nowMs - lastLongMs > SHORT_MS) longSinceMs = nowMs
      lastLongMs = nowMs
    },
    leave(nowMs) {
      length -= 1
      done += 1
      count(nowMs)
    },
    shouldShed(nowMs) {
      if (length + behind() < most) return false
      const stands = nowMs - lastLongMs <= SHORT_MS && nowMs - longSinceMs >= PATIENCE_MS
      if (!stands && nowMs >= strictUntilMs) return false
      strictUntilMs = nowMs + CALM_MS
      return true
    },
  }
}
