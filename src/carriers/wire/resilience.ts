import { z } from 'zod'
import type { Send } from '../port/send.ts'
import { withCircuitBreaker } from './with-circuit-breaker.ts'
import { withConcurrency } from './with-concurrency.ts'
import { type CarrierCall, withMetrics } from './with-metrics.ts'
import { withTimeout } from './with-timeout.ts'

/**
 * The wire's part of a carrier's `settings` in the account document; whatever else stands there is the
 * adapter's. A value that makes no sense is as if it were not set.
 */
export const ResilienceSettings = z.object({
  timeout_ms: z.int().min(100).max(30_000).catch(6_000),
  max_in_flight: z.int().min(1).max(1_000).catch(64),
  /** Failures in a row that open the breaker; 0: no breaker. */
  breaker_failures: z.int().min(0).max(1_000).nullable().catch(null),
  breaker_open_ms: z.int().min(100).max(600_000).catch(10_000),
})
export type ResilienceSettings = z.output<typeof ResilienceSettings>

const BREAKER_FAILURES = 10
// Short of the look-up carriers' settle time, which counts from before the wait.
const LINE_WAIT_MS = 1_000

/**
 * One account's wire to one carrier, guarded: places, breaker, time-out, in this order from outside, so
 * that waiting for a place takes nothing from the carrier's time and a full line is not held against it.
 *
 * In sandbox mode the breaker is off unless `breaker_failures` is set: there a reference ending `-down` is
 * an outage of its own, and must not take the carrier away from every other delivery.
 */
export function resilientWire(
  send: Send,
  {
    settings,
    mode,
    wallMs,
    report,
    told = () => {},
    span,
  }: {
    settings: ResilienceSettings
    mode: 'sandbox' | 'live'
    wallMs(): number
    report(call: CarrierCall): void
    /** Hears when the breaker opens and closes. */
    told?: (open: boolean) => void
    /** Tells of each request that is really sent; absent: without traces. */
    span?: ((send: Send) => Send) | undefined
  },
): Send {
  const failures = settings.breaker_failures ?? (mode === 'sandbox' ? 0 : BREAKER_FAILURES)
  const reported = withMetrics(withTimeout(send, settings.timeout_ms), report)
  const timed = span ? span(reported) : reported
  const breakable =
    failures === 0
      ? timed
      : withCircuitBreaker(timed, { failures, openMs: settings.breaker_open_ms, wallMs, told })
  return withConcurrency(breakable, { most: settings.max_in_flight, waitMs: LINE_WAIT_MS })
}
