import { setTimeout as sleep } from 'node:timers/promises'
import { type BookedDelivery, bookedOnce, bookingsAgree } from '../../test/harness/bookings.ts'
import { type Ask, good, pages } from '../../test/harness/http.ts'
import type { Finding } from '../../test/harness/promises.ts'
import { readSandboxLedger } from '../../test/harness/sandbox-ledger.ts'
import { findUnended } from '../../test/harness/timelines.ts'
import type { DayJob } from './plan.ts'
import type { Played } from './run-day.ts'
import type { Shop } from './shop.ts'

export type DayDelivery = BookedDelivery & {
  store_reference: string
  status_reason?: string
  delivery_type: string
  carrier_provider?: string
  to_datetime?: string
  service_quote?: { price_cents: number }
}

/** The result of the day. A day is good when it has no violations. */
export type DayReport = {
  deliveries: DayDelivery[]
  /** Every violated promise, one sentence each. */
  wrong: string[]
}

const PATIENCE_MS = 60_000
const LOOK_MS = 1_000
/** Statuses that may still change on their own. */
export const MOVING = [
  'created',
  'requested',
  'booked',
  'assigned',
  'approaching',
  'collected',
  'reassigned',
  'pending_return',
]
/** Big Haul cannot look up a booking, so a clerk asks it. */
const UNANSWERED = /did not answer our booking/
/** Normal error responses: no service can take it, a carrier has it already, or has not answered yet. */
const ORDINARY = [
  /^create 422 no_service_available$/,
  /^amend 409 (delivery_already_consigned|booking_in_progress|not_amendable)$/,
  /^amend 422 no_service_available$/,
  /^cancel 409 (not_cancellable|cancel_refused|cancellation_pending|booking_in_progress)$/,
]

/**
 * Reconciliation: waits until nothing changes any more, then compares every delivery with the carriers'
 * ledgers.
 */
export async function verifyDay(shop: Shop, played: Played): Promise<DayReport> {
  await untilNothingMoves(shop.ask)
  await played.feed.read()
  const found = await pages<DayDelivery>(shop.ask, '/deliveries')
  const deliveries = found.map((one) => ({ ...one, isUnanswered: UNANSWERED.test(one.status_reason ?? '') }))
  const ledgerEntries = await readSandboxLedger(shop.operator, shop.accountId, deliveries)
  const wrong = [
    ...noDeliveryLost({ jobs: [], deliveries, played }).wrong,
    ...noDeliveryStuck({ deliveries, played }).wrong,
    ...bookedOnce({ ledgerEntries }).wrong,
    ...bookingsAgree({ ledgerEntries, deliveries }).wrong,
    ...deliveries
      .filter(({ id, status }) => status === 'delivered' && !played.feed.deliveredAtMs.has(id))
      .map(({ reference }) => `${reference} is delivered and the feed has no such event`),
  ]
  return { deliveries, wrong }
}

type Result = {
  deliveries: readonly DayDelivery[]
  played: Pick<Played, 'created' | 'cancelled' | 'refused'>
}

export function noDeliveryStuck({ deliveries, played }: Result): Finding {
  const uncancelled = deliveries.filter(
    ({ reference, status }) => status !== 'cancelled' && played.cancelled.has(reference),
  )
  const wrong = uncancelled.map(({ reference, status }) => `${reference} was cancelled and is ${status}`)
  return { counted: deliveries.length, wrong: [...findUnended(deliveries, MOVING), ...wrong] }
}

export function noDeliveryLost({ jobs, deliveries, played }: Result & { jobs: readonly DayJob[] }): Finding {
  const known = new Set(deliveries.map(({ id }) => id))
  const wrong = [
    ...[...played.created].flatMap(([reference, id]) => (known.has(id) ? [] : [`${reference} is lost`])),
    ...[...played.refused].flatMap(([name, references]) =>
      ORDINARY.some((ordinary) => ordinary.test(name))
        ? []
        : [`${references.slice(0, 5).join(', ')}: ${name}`],
    ),
  ]
  return { counted: jobs.length, wrong }
}

async function untilNothingMoves(ask: Ask): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS
  while (performance.now() < endMs && (await isAnyIn(ask, MOVING))) await sleep(LOOK_MS)
}

/** Whether any delivery has one of these statuses. */
export async function isAnyIn(ask: Ask, statuses: readonly string[]): Promise<boolean> {
  const lists = statuses.map((status) => good(ask(`GET /deliveries?limit=1&status=${status}`), 'The list'))
  return (await Promise.all(lists)).some(({ length }) => length > 0)
}
