import { Gauge, type Registry } from 'prom-client'
import type { FigureName, SharedFigures } from '../store/housekeeping/state-figures.ts'

/** Several or frequent scrapers query the database at most this often. */
const KEPT_MS = 10_000
/** A scrape leaves out the database figures if they take longer. */
const PATIENCE_MS = 2_000

/** One entry per gauge: figure, metric name, the label that holds the figure's `name`, help text. */
const GAUGES = [
  [
    'due',
    'drover_work_due',
    'source',
    'Rows that are due and not leased; at most 10,000 of an account are counted.',
  ],
  [
    'due_oldest_s',
    'drover_work_due_oldest_seconds',
    'source',
    'How long ago the longest-overdue row became due.',
  ],
  [
    'deliveries',
    'drover_deliveries_open',
    'status',
    'Deliveries that have not ended; `late`: deliveries past the end of their window.',
  ],
  [
    'ended',
    'drover_deliveries_delivered_last_hour',
    'timeliness',
    'Deliveries that were delivered within the last hour: on_time, late or no_window.',
  ],
  [
    'dead_lettered',
    'drover_work_dead_lettered',
    'source',
    'Dead letters: rows whose attempts did not finish too often, and that wait for a person.',
  ],
  [
    'unanswered',
    'drover_bookings_outcome_unknown',
    'state',
    'Bookings whose outcome at the carrier is unknown.',
  ],
  [
    'unanswered_oldest_s',
    'drover_bookings_outcome_unknown_oldest_seconds',
    'state',
    'How long ago the oldest booking with an unknown outcome was requested.',
  ],
  ['endpoints', 'drover_webhook_endpoints', 'state', 'Webhook endpoints: working, failing or paused.'],
  [
    'sms_accounts',
    'drover_sms_accounts',
    'state',
    'Accounts that reached their daily SMS limit (`sms.per_day`) in the last 24 hours: `at_limit`.',
  ],
  ['webhook_backlog', 'drover_webhook_backlog', 'name', 'Events that endpoints have not received yet.'],
  [
    'unpublished_oldest_s',
    'drover_events_unpublished_oldest_seconds',
    'name',
    'Age of the oldest event that is not published to the feed and webhooks yet.',
  ],
] as const satisfies readonly (readonly [FigureName, string, string, string])[]

/**
 * Gauges of the whole installation, read from one row of the database at a scrape. Every process reports the
 * same values: take the maximum over instances, not the sum. Labels have fixed value sets; no label names an
 * account or a customer.
 */
export function registerStateMetrics(registry: Registry, read: () => Promise<SharedFigures>): void {
  const figures = kept(read)
  new Gauge({
    name: 'drover_database_reachable',
    help: 'Whether the state could be read: 1 or 0. If not, the gauges of state are absent.',
    registers: [registry],
    async collect() {
      this.set((await figures()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'drover_state_age_seconds',
    help: 'How long ago the gauges of state were computed. All processes share them and compute them in turns.',
    registers: [registry],
    async collect() {
      this.reset()
      const shared = await figures()
      if (shared) this.set(shared.ageS)
    },
  })
  for (const [figure, name, label, help] of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ['mode', label],
      registers: [registry],
      async collect() {
        this.reset()
        for (const one of (await figures())?.figures ?? []) {
          if (one.figure === figure) this.set({ mode: one.mode, [label]: one.name }, one.value)
        }
      },
    })
  }
}

/**
 * Single-flight: the recent figures from a cache, or null if the database doesn't answer. One query at a
 * time.
 */
function kept(read: () => Promise<SharedFigures>): () => Promise<SharedFigures | null> {
  let reading: Promise<SharedFigures | null> | null = null
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (!reading || performance.now() - readAtMs > KEPT_MS) {
      readAtMs = performance.now()
      reading = withinPatience(read().catch(() => null))
    }
    return reading
  }
}

async function withinPatience<T>(answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
