import { z } from 'zod'
import type { CarrierRequest, CarrierResponse, Send } from '../port/send.ts'
import { withCircuitBreaker } from './with-circuit-breaker.ts'

export const DEFAULT_TIMEOUT_MS = 6_000

/** The HTTP part of a carrier's `settings` in the account document; the other settings are the adapter's. */
export const ResilienceShape = {
  timeout_ms: z.int().min(100).max(30_000).default(DEFAULT_TIMEOUT_MS),
  max_in_flight: z.int().min(1).max(1_000).default(64),
  /** Failures in a row that open the circuit breaker; 0: no breaker. */
  breaker_failures: z.int().min(0).max(1_000).nullable().default(null),
  breaker_open_ms: z.int().min(100).max(600_000).default(10_000),
}

/** An invalid value in a document that was stored before its settings were checked counts as not set. */
export const ResilienceSettings = z.object({
  timeout_ms: ResilienceShape.timeout_ms.catch(DEFAULT_TIMEOUT_MS),
  max_in_flight: ResilienceShape.max_in_flight.catch(64),
  breaker_failures: ResilienceShape.breaker_failures.catch(null),
  breaker_open_ms: ResilienceShape.breaker_open_ms.catch(10_000),
})
export type ResilienceSettings = z.output<typeof ResilienceSettings>

const BREAKER_FAILURES = 10
// Shorter than the settle time of `look_up` carriers, which starts before the wait.
const QUEUE_WAIT_MS = 1_000

/**
 * Resilience: one account's `Send` to one carrier, wrapped from outside in by the concurrency limit, the
 * circuit breaker and the time-out. In this order the wait for a slot doesn't use up the carrier's time-out,
 * and a full queue isn't counted as the carrier's failure.
 *
 * In sandbox mode the breaker is off unless `breaker_failures` is set: there, a reference ending `-down`
 * simulates an outage of one delivery, and must not block the carrier for every other delivery.
 */
export function resilientWire(
  send: Send,
  {
    settings,
    mode,
    monotonicMs = () => performance.now(),
    report,
    onBreakerChange = () => {},
    span,
  }: {
    settings: ResilienceSettings
    mode: 'sandbox' | 'live'
    monotonicMs?: (() => number) | undefined
    report(call: CarrierCall): void
    /** Called when the breaker opens (true), also after a failed probe, and when it closes (false). */
    onBreakerChange?: (open: boolean) => void
    /** Wraps each request that is really sent in a span; absent: no traces. */
    span?: ((send: Send) => Send) | undefined
  },
): Send {
  const failures = settings.breaker_failures ?? (mode === 'sandbox' ? 0 : BREAKER_FAILURES)
  const reported = withMetrics(withTimeout(send, settings.timeout_ms), report)
  const timed = span ? span(reported) : reported
  const breakable =
    failures === 0
      ? timed
      : withCircuitBreaker(timed, {
          failures,
          openMs: settings.breaker_open_ms,
          monotonicMs,
          onTransition: (to) => {
            if (to !== 'half_open') onBreakerChange(to === 'open')
          },
        })
  return withConcurrency(breakable, { max: settings.max_in_flight, waitMs: QUEUE_WAIT_MS })
}

/**
 * Bulkhead: at most `max` requests at once, so that a slow carrier can't use up everything. Further requests
 * queue for at most `waitMs`, then fail as not sent. A request whose turn comes later than that, because the
 * process was blocked, isn't sent either: its caller relies on the limit.
 */
export function withConcurrency(send: Send, { max, waitMs }: { max: number; waitMs: number }): Send {
  let running = 0
  const queue: (() => void)[] = []

  function waitForSlot(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const queuedMs = performance.now()
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(next), 1)
      resolve(false)
    }, waitMs)
    function next() {
      clearTimeout(timer)
      const late = performance.now() - queuedMs > waitMs
      if (late) releaseSlot()
      resolve(!late)
    }
    queue.push(next)
    return promise
  }

  // The slot passes to the next in the queue, so `running` stays the same.
  function releaseSlot(): void {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return async (request) => {
    if (running < max) running += 1
    else if (!(await waitForSlot())) {
      return { kind: 'not_sent', message: `${max} requests to this carrier are in progress` }
    }
    try {
      return await send(request)
    } finally {
      releaseSlot()
    }
  }
}

/**
 * Time-out: waits at most `timeoutMs` for an answer. A later answer is dropped: the outcome already counts as
 * unknown.
 */
export function withTimeout(send: Send, timeoutMs: number): Send {
  return async (request) => {
    const { promise, resolve } = Promise.withResolvers<CarrierResponse>()
    const timer = setTimeout(() => {
      resolve({ kind: 'no_answer', message: `no answer within ${timeoutMs / 1000} s` })
    }, timeoutMs)
    try {
      return await Promise.race([send(request), promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** One call for the metrics, without its path, because paths hold consignment numbers. */
export type CarrierCall = { method: CarrierRequest['method']; result: string; durationMs: number }

/** Reports every call: `not_sent`, `no_answer` or the status, and its duration. */
export function withMetrics(send: Send, report: (call: CarrierCall) => void): Send {
  return async (request) => {
    const startedMs = performance.now()
    const response = await send(request)
    report({ method: request.method, result: resultOf(response), durationMs: performance.now() - startedMs })
    return response
  }
}

function resultOf(response: CarrierResponse): string {
  return response.kind === 'answered' ? `${response.status}` : response.kind
}
