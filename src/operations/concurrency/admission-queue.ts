import { changeState, type Transitions } from '../../domain/state-machine.ts'

/**
 * Admission queue (CoDel-style, RFC 8289): counts the requests that wait for one batched operation. Times are
 * milliseconds of any monotonic clock.
 */
export type AdmissionQueue = {
  enter(nowMs: number): void
  leave(nowMs: number): void
  /** The caller is to shed the next request. */
  shouldShed(nowMs: number): boolean
  state(nowMs: number): AdmissionState
}

/**
 * The limit is as many requests as complete in `WAIT_MS`.
 *
 * - `steady`: every request is admitted. A request that makes the queue longer than the limit moves it to `too_long`.
 * - `too_long` (CoDel: above target): every request is still admitted. Left for `steady` after `SHORT_MS` in which no
 *   request made the queue longer than the limit; left for `shedding` by the first request that finds the queue at
 *   the limit after `PATIENCE_MS`.
 * - `shedding` (CoDel: dropping): requests that find the queue at the limit are shed. Left after `CALM_MS` without
 *   shedding one: for `too_long` if a request made the queue longer than the limit in the last `SHORT_MS`, otherwise
 *   for `steady`.
 */
export type AdmissionState = 'steady' | 'too_long' | 'shedding'

export const ADMISSION_TRANSITIONS: Transitions<AdmissionState> = {
  steady: ['too_long'],
  too_long: ['steady', 'shedding'],
  shedding: ['steady', 'too_long'],
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
  let state: AdmissionState = 'steady'
  let length = 0
  let max = LEAST
  let done = 0
  let countedFromMs = Number.NEGATIVE_INFINITY
  let longSinceMs = Number.NEGATIVE_INFINITY
  let lastLongMs = Number.NEGATIVE_INFINITY
  let shedsUntilMs = Number.NEGATIVE_INFINITY

  const change = (to: AdmissionState): void => {
    state = changeState(ADMISSION_TRANSITIONS, state, to)
  }
  const isLong = (nowMs: number): boolean => nowMs - lastLongMs <= SHORT_MS
  /** Makes the transitions that need only time. No timer does: they matter when the next request asks. */
  const letTimePass = (nowMs: number): void => {
    if (state === 'shedding' && nowMs >= shedsUntilMs) change(isLong(nowMs) ? 'too_long' : 'steady')
    else if (state === 'too_long' && !isLong(nowMs)) change('steady')
  }
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
      letTimePass(nowMs)
      if (!isLong(nowMs)) longSinceMs = nowMs
      lastLongMs = nowMs
      if (state === 'steady') change('too_long')
    },
    leave(nowMs) {
      length -= 1
      done += 1
      count(nowMs)
    },
    shouldShed(nowMs) {
      if (length + behind() < max) return false
      letTimePass(nowMs)
      if (state === 'steady' || (state === 'too_long' && nowMs - longSinceMs < PATIENCE_MS)) return false
      if (state === 'too_long') change('shedding')
      shedsUntilMs = nowMs + CALM_MS
      return true
    },
    state(nowMs) {
      letTimePass(nowMs)
      return state
    },
  }
}
