import type { CarrierEvent, CarrierUpdates } from '../../carriers/port/carrier.ts'
import { isFinal, type Status } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { storeCourierPosition } from '../../store/carriers/courier-positions.ts'
import { isAnyBookingUnanswered } from '../../store/deliveries/booking-intents.ts'
import { listDeliveriesByConsignment } from '../../store/deliveries/deliveries.ts'
import { listOrphans } from '../../store/deliveries/orphaned-bookings.ts'
import { type ReportedBooking, reconcileReportedBookings } from '../bookings/reconcile-reported-bookings.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { applyCarrierEvents } from './apply-carrier-events.ts'

export type CarrierWebhook = {
  accountId: string
  provider: string
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
}

/**
 * Ingests a carrier's webhook. Refuses `not_found` for a carrier without webhooks and `unauthorized` for a
 * wrong signature; ignores events of consignments that aren't ours.
 *
 * Reconciliation: if the webhook names our key of a booking whose outcome is unknown, it resolves the booking
 * first and then counts as events. `booking_in_progress` makes the carrier send the webhook again: it may be
 * about a booking whose response hasn't arrived yet.
 */
export async function receiveCarrierWebhook(
  deps: Deps,
  { accountId, provider, headers, body }: CarrierWebhook,
): Promise<{ accepted: number; unreadable: number }> {
  const entry = await deps.accounts.find(accountId)
  const carrier = entry && deps.carrierOf(entry, provider)
  if (!entry || !carrier?.readWebhook) throw new Refusal('not_found', 'Nothing is reported here.')
  const updates = carrier.readWebhook({ headers, body })
  if (!updates) throw new Refusal('unauthorized', 'The signature is not the carrier’s.')

  const byConsignment = Map.groupBy(updates.events, ({ consignmentNumber }) => consignmentNumber)
  const positions = Map.groupBy(updates.positions ?? [], ({ consignmentNumber }) => consignmentNumber)
  const named = [...new Set([...byConsignment.keys(), ...positions.keys()])]
  const { ours, early } = await findDeliveries(deps, entry, provider, named, bookingNotices(updates))
  let accepted = 0
  for (const { deliveryId, consignmentNumber } of ours) {
    const events: CarrierEvent[] = byConsignment.get(consignmentNumber) ?? []
    const row = events.length > 0 ? await applyCarrierEvents(deps, entry, deliveryId, events) : null
    const position = positions.get(consignmentNumber)?.at(-1)
    if (position && !(row && isFinal(row.status))) {
      await storeCourierPosition(deps.db, { accountId, deliveryId }, position)
    }
    accepted += events.length
  }
  if (updates.unreadable > 0)
    deps.log.warn({ provider, unreadable: updates.unreadable }, 'carrier updates could not be read')
  if (early)
    throw new Refusal(
      'booking_in_progress',
      'A booking has not been answered yet. Send this update again later.',
    )
  return { accepted, unreadable: updates.unreadable }
}

/**
 * Issues a token with which a carrier may send webhooks. Refuses `not_found` for carriers without tokens,
 * `unauthorized` for wrong credentials.
 */
export async function grantCarrierToken(deps: Deps, { accountId, provider, ...request }: CarrierWebhook) {
  const carrier = await findCarrier(deps, accountId, provider)
  if (!carrier?.grantToken) throw new Refusal('not_found', 'No tokens are given here.')
  const granted = carrier.grantToken(request)
  if (!granted) throw new Refusal('unauthorized', 'These are not the carrier’s client id and secret.')
  return granted
}

/**
 * The deliveries of these consignments; `early`: others may turn out to be ours, because a booking of this
 * carrier has no answer yet.
 */
async function findDeliveries(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  consignmentNumbers: readonly string[],
  reported: readonly ReportedBooking[],
) {
  const accountId = entry.account.id
  const known = await listDeliveriesByConsignment(deps.db, accountId, provider, consignmentNumbers)
  const names = new Set(known.map(({ consignmentNumber }) => consignmentNumber))
  const unknownNumbers = consignmentNumbers.filter((number) => !names.has(number))
  if (unknownNumbers.length === 0) return { ours: known, early: false }
  const unknownBookings = reported.filter(({ consignmentNumber }) =>
    unknownNumbers.includes(consignmentNumber),
  )
  const settled = await reconcileReportedBookings(deps, entry, provider, unknownBookings)
  const unanswered = await isAnyBookingUnanswered(deps.db, accountId, provider)
  // Bookings that this webhook resolved, or that another process confirmed between the two queries.
  const since = await listDeliveriesByConsignment(deps.db, accountId, provider, unknownNumbers)
  const orphans = await listOrphans(deps.db, accountId, provider, unknownNumbers)
  const explained = new Set([
    ...settled,
    ...since.map(({ consignmentNumber }) => consignmentNumber),
    ...orphans.map(({ reference }) => reference),
  ])
  const early = unanswered && unknownNumbers.some((number) => !explained.has(number))
  return { ours: [...known, ...since], early }
}

/** Each booking once. */
function bookingNotices({ bookings = [], events }: CarrierUpdates): ReportedBooking[] {
  const ends = new Set(
    events.flatMap(({ consignmentNumber, status }) => (OVER.has(status) ? consignmentNumber : [])),
  )
  const once = new Map(bookings.map((booking) => [booking.consignmentNumber, booking]))
  return [...once.values()].map((booking) => ({ ...booking, isOver: ends.has(booking.consignmentNumber) }))
}

const OVER: ReadonlySet<Status | null> = new Set<Status>([
  'cancelled',
  'delivered',
  'pending_return',
  'returned',
])
