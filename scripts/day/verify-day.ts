import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, good, pages } from '../../test/harness/http.ts'
import {
  replaySandboxLedger,
  type SandboxBookings,
  type SandboxEntry,
} from '../../test/harness/sandbox-ledger.ts'
import type { Played } from './run-day.ts'
import type { Shop } from './shop.ts'

export type DayDelivery = {
  id: string
  reference: string
  store_reference: string
  status: string
  status_reason?: string
  delivery_type: string
  carrier_provider?: string
  consignment_number?: string
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
/** Normal error responses: no service can take it, a carrier has it already, or has not answered yet. */
export const ORDINARY = [
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
  const deliveries = await pages<DayDelivery>(shop.ask, '/deliveries')
  const bookings = await activeBookings(shop)
  const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const wrong = [
    ...[...played.created].flatMap(([reference, id]) =>
      byId.has(id) ? [] : `${reference} was created and is lost`,
    ),
    ...[...played.refused].flatMap(([name, references]) =>
      ORDINARY.some((ordinary) => ordinary.test(name)) ? [] : `${references.join(', ')}: ${name}`,
    ),
    ...deliveries.flatMap((delivery) => faultsOf(delivery, bookings, played)),
  ]
  return { deliveries, wrong }
}

function faultsOf(
  { id, reference, status, status_reason, consignment_number }: DayDelivery,
  { active, doubled }: SandboxBookings,
  { cancelled, feed }: Played,
): string[] {
  const numbers = active.get(reference) ?? new Set()
  const atCarrier = status === 'delivered' || status === 'returned'
  return [
    MOVING.includes(status)
      ? `${reference} is stuck ${status}${status_reason ? `: ${status_reason}` : ''}`
      : '',
    status === 'on_hold' && !status_reason ? `${reference} is on hold without a reason` : '',
    doubled.has(reference) ? `${reference} was booked twice at once` : '',
    atCarrier && !numbers.has(consignment_number ?? '') ? `${reference} is ${status} and has no booking` : '',
    status === 'delivered' && !feed.deliveredAtMs.has(id)
      ? `${reference} is delivered and the feed has no such event`
      : '',
    status === 'cancelled' && numbers.size > 0
      ? `${reference} is cancelled and has a booking at a carrier`
      : '',
    cancelled.has(reference) && status !== 'cancelled' ? `${reference} was cancelled and is ${status}` : '',
  ].filter(Boolean)
}

/** Reads the sandbox carriers' ledger. */
export async function activeBookings({
  operator,
  accountId,
}: Pick<Shop, 'operator' | 'accountId'>): Promise<SandboxBookings> {
  const path = `/admin/accounts/${accountId}/sandbox/ledger`
  return replaySandboxLedger(await pages<SandboxEntry>(operator, path))
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
