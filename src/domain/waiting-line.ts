/** Those who wait for one thing that is done for many at once, counted; times are any clock's milliseconds. */
export type WaitingLine = {
  enter(nowMs: number): void
  leave(nowMs: number): void
  /** Whoever comes now is to be turned away. */
  isFull(nowMs: number): boolean
}

/** What is done in this time may wait: the line is then as long as the wait (Little's law). */
const WAIT_MS = 80
/** Two full shared statements: with fewer, refusing takes most of a turn of the event loop, and the database is idle. */
const LEAST = 256
/**
 * A burst is not refused: a line is too long only when it has been for so long. A process that has just started takes
 * half of it to read 500.
 */
const PATIENCE_MS = 1_000
/** Once too long, nobody is let in beyond its length until nobody has had to be turned away for so long. */
const CALM_MS = 1_000

/**
 * A line that may be long for a moment, and stands for no longer than `PATIENCE_MS`: from then on only as many wait as
 * are done in `WAIT_MS` at the rate just seen. Who is in it is never turned away.
 */
export function waitingLine(): WaitingLine {
  let length = 0
  let most = LEAST
  let done = 0
  let countedFromMs = Number.NEGATIVE_INFINITY
  let longSinceMs: number | null = null
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
      if (length > most) longSinceMs ??= nowMs
    },
    leave(nowMs) {
      length -= 1
      done += 1
      count(nowMs)
      if (length <= most) longSinceMs = null
    },
    isFull(nowMs) {
      if (length < most) return false
      const stands = longSinceMs !== null && nowMs - longSinceMs >= PATIENCE_MS
      if (!stands && nowMs >= strictUntilMs) return false
      strictUntilMs = nowMs + CALM_MS
      return true
    },
  }
}
