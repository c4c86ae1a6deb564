/**
 * Admission queue (CoDel-style, RFC 8289): counts the requests that wait for one batched operation. Times are
 * milliseconds of any monotonic clock.
 */
export type AdmissionQueue = {
  enter(nowMs: number): void
  leave(nowMs: number): void
  /** The caller is to shed the next request. */
  shouldShed(nowMs: number): boolean
}

/** At most 40 ms of work may wait; at a given throughput the queue length follows from the wait (Little's law). */
const WAIT_MS = 40
/**
 * A full batched statement, or four times the requests that one tick of the event loop starts: keeps the database busy.
 */
const LEAST = 128
/**
 * A burst is not shed: the queue has to be too long for this whole time. A process that has just started needs half of
 * it to read 500 requests.
 */
const PATIENCE_MS = 1_000
/**
 * All requests of a batched statement leave together, which makes any queue short for a moment. A queue counts as short
 * only after this time below the limit.
 */
const SHORT_MS = 300
/** Once overloaded, the queue is capped until this long has passed without shedding a request. */
const CALM_MS = 1_000

/**
 * The queue may be too long for up to `PATIENCE_MS`. After that it admits only as many requests as complete in
 * `WAIT_MS` at the current throughput. Queued requests are never dropped. `behind`: the number of requests that wait
 * behind those that entered.
 */
export function admissionQueue(behind = (): number => 0): AdmissionQueue {
  let length = 0
  let max = LEAST
  let done = 0
  let countedFromMs = Number.NEGATIVE_INFINITY
  let longSinceMs = Number.NEGATIVE_INFINITY
  let lastLongMs = Number.NEGATIVE_INFINITY
  let strictUntilMs = Number.NEGATIVE_INFINITY

  const count = (nowMs: number): void => {
    const tookMs = nowMs - countedFromMs
    if (tookMs < WAIT_MS) return
    max = Math.max(LEAST, Math.round((done * WAIT_MS) / tookMs))
    done = 0
    countedFromMs = nowMs
  }
  return {
    enter(nowMs) {
      length += 1
      if (length + behind() <= max) return
      if (nowMs - lastLongMs > SHORT_MS) longSinceMs = nowMs
      lastLongMs = nowMs
    },
    leave(nowMs) {
      length -= 1
      done += 1
      count(nowMs)
    },
    shouldShed(nowMs) {
      if (length + behind() < max) return false
      const stands = nowMs - lastLongMs <= SHORT_MS && nowMs - longSinceMs >= PATIENCE_MS
      if (!stands && nowMs >= strictUntilMs) return false
      strictUntilMs = nowMs + CALM_MS
      return true
    },
  }
}
