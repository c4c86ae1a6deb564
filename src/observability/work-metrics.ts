import type { Pool } from 'pg'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { AccountCarriersDeps } from '../carriers/account-carriers.ts'
import type { Channel, Notifier } from '../notify/notifier.ts'
import type { PostWebhook } from '../notify/webhook-post.ts'
import type { Runner } from '../work/runner.ts'

/** Gauge of the rows in flight in this process. */
export function registerWorkMetrics(runner: Runner, registry: Registry): void {
  new Gauge({
    name: 'drover_work_in_flight',
    help: 'Rows in flight: leased by this process, by source.',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      for (const [source, rows] of Object.entries(runner.inWork())) this.set({ source }, rows)
    },
  })
}

/** Gauge of this process's database connections, and of the callers that wait for one. */
export function registerConnectionMetrics(db: Pool, registry: Registry): void {
  new Gauge({
    name: 'drover_database_connections',
    help: 'Database connections of this process: busy or idle; `waiting`: callers that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, db.totalCount - db.idleCount)
      this.set({ state: 'idle' }, db.idleCount)
      this.set({ state: 'waiting' }, db.waitingCount)
    },
  })
}

/**
 * A breaker changes only with a request, and a carrier that was switched off gets none. With requests, a probe fails at
 * least every 10 minutes (the longest `breaker_open_ms`).
 */
const IDLE_BREAKER_EXPIRY_MS = 21 * 60_000

/** Metrics of the calls to carriers and of their circuit breakers. */
export function carrierMetrics(
  registry: Registry,
  monotonicMs = () => performance.now(),
): Required<Pick<AccountCarriersDeps, 'report' | 'breaker'>> {
  const calls = new Histogram({
    name: 'drover_carrier_call_duration_seconds',
    help: 'Calls to carriers, by provider, method and result.',
    labelNames: ['provider', 'method', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const open = new Map<string, { adapter: string; openedMs: number }>()
  new Gauge({
    name: 'drover_carrier_circuit_breakers_open',
    help: 'Circuit breakers that are open or half_open in this process, one for each account and carrier, by adapter. A breaker that gets no requests is dropped from the count after 21 minutes.',
    labelNames: ['adapter'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [key, { adapter, openedMs }] of open) {
        if (monotonicMs() - openedMs > IDLE_BREAKER_EXPIRY_MS) open.delete(key)
        else this.inc({ adapter })
      }
    },
  })
  return {
    report: (_accountId, provider, { method, result, durationMs }) =>
      calls.observe({ provider, method, result }, durationMs / 1_000),
    breaker: ({ accountId, provider, adapter }, isOpen) => {
      const key = `${accountId} ${provider}`
      if (isOpen) open.set(key, { adapter, openedMs: monotonicMs() })
      else open.delete(key)
    },
  }
}

const MESSAGE_OUTCOMES = { yes: 'sent', no: 'rejected', unknown: 'unknown' } as const

/** Counts the messages sent by each channel. */
export function countedNotifier({ sms, email }: Notifier, registry: Registry): Notifier {
  const sends = new Counter({
    name: 'drover_messages_total',
    help: 'Messages passed to a gateway, by kind and outcome: `sent`, `rejected` (also if the gateway could not be reached) or `unknown`.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const counted = (kind: string, channel: Channel | null): Channel | null =>
    channel && {
      ...channel,
      async send(message) {
        const outcome = await channel.send(message)
        sends.inc({ kind, outcome: MESSAGE_OUTCOMES[outcome.kind] })
        return outcome
      },
    }
  return { sms: counted('sms', sms), email: counted('email', email) }
}

/** Counts the posts to webhook endpoints. */
export function countedWebhooks(post: PostWebhook, registry: Registry): PostWebhook {
  const attempts = new Counter({
    name: 'drover_webhook_attempts_total',
    help: 'Webhook deliveries: `delivered` (2xx), `rejected` (any other status) or `error` (no response).',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return async (...asked) => {
    const answer = await post(...asked)
    attempts.inc({ outcome: outcomeOf(answer) })
    return answer
  }
}

function outcomeOf(answer: Awaited<ReturnType<PostWebhook>>): string {
  if (answer.kind === 'failed') return 'error'
  return answer.status >= 200 && answer.status < 300 ? 'delivered' : 'rejected'
}
