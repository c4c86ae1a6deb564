import { setTimeout as sleep } from 'node:timers/promises'
import { type BookedDelivery, bookedOnce, bookingsAgree } from '../../test/harness/bookings.ts'
import { type Ask, good, pages } from '../../test/harness/http.ts'
import type { LedgerEntry, Order } from '../../test/harness/ledger.ts'
import type { Finding, Promises } from '../../test/harness/promises.ts'
import { readSandboxLedger } from '../../test/harness/sandbox-ledger.ts'
import { findUnended } from '../../test/harness/timelines.ts'
import type { DayJob } from './plan.ts'
import type { Played } from './run-day.ts'
import type { Shop } from './shop.ts'

export type DayDelivery = BookedDelivery & {
  store_reference: string
  status_reason?: string
  delivery_type: string
  to_datetime?: string
  service_quote?: { price_cents: number }
}

/** The evidence at the end: what Drover reports, and what the carriers' own ledgers contain. */
export type DayEvidence = {
  jobs: readonly DayJob[]
  played: Pick<Played, 'created' | 'amended' | 'cancelled' | 'refused'>
  /** When each delivery was delivered, by the feed. */
  deliveredAtMs: ReadonlyMap<string, number>
  deliveries: readonly DayDelivery[]
  ledgerEntries: readonly LedgerEntry[]
  orders: readonly Order[]
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

/** Each promise of any day in plain words, and the check for it. */
export const DAY_PROMISES = {
  'No delivery is booked twice: bookings in the carriers’ own ledgers': bookedOnce,
  'Each active booking has its delivery, and each booked delivery its booking: active bookings':
    bookingsAgree,
  'The feed has the event of each delivered delivery: delivered deliveries': eachHasItsEvent,
  'No delivery is stuck: deliveries': noDeliveryStuck,
  'No delivery is lost, and no request is refused without a good reason: requests of the shop':
    noDeliveryLost,
} as const satisfies Promises<string, DayEvidence>

/** Waits until nothing changes any more, then reads every delivery and the sandbox carriers' ledger. */
export async function gatherSandboxDay(
  shop: Shop,
  jobs: readonly DayJob[],
  played: Played,
): Promise<DayEvidence> {
  await untilNothingMoves(shop.ask)
  await played.feed.read()
  const found = await pages<DayDelivery>(shop.ask, '/deliveries')
  return {
    ...{ jobs, played, deliveredAtMs: played.feed.deliveredAtMs, orders: [] },
    deliveries: found.map((one) => ({ ...one, isUnanswered: UNANSWERED.test(one.status_reason ?? '') })),
    ledgerEntries: await readSandboxLedger(shop.operator, shop.accountId, found),
  }
}

function eachHasItsEvent({ deliveries, deliveredAtMs }: DayEvidence): Finding {
  const delivered = deliveries.filter(({ status }) => status === 'delivered')
  const wrong = delivered
    .filter(({ id }) => !deliveredAtMs.has(id))
    .map(({ reference }) => `${reference} is delivered and the feed has no such event`)
  return { counted: delivered.length, wrong }
}

function noDeliveryStuck({ deliveries, played }: DayEvidence): Finding {
  const uncancelled = deliveries.filter(
    ({ reference, status }) => status !== 'cancelled' && played.cancelled.has(reference),
  )
  const wrong = uncancelled.map(({ reference, status }) => `${reference} was cancelled and is ${status}`)
  return { counted: deliveries.length, wrong: [...findUnended(deliveries, MOVING), ...wrong] }
}

function noDeliveryLost({ jobs, deliveries, played }: DayEvidence): Finding {
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
