import { setTimeout as sleep } from 'node:timers/promises'
import { toActionFacts, whyNot } from '../../domain/delivery/actions/why-not.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { reasonAndRemedy } from '../../domain/delivery/status-remedy.ts'
import { Refusal } from '../../domain/errors.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { type AnyIntent, getLastAttempt, listIntents } from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import type { DeliveryPatch } from '../../store/deliveries/delivery-change.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { claimDelivery, releaseDeliveries } from '../../store/deliveries/due-deliveries.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { transitionEvents } from '../events/status-events.ts'
import { type Checkpoint, noCheckpoint } from '../idempotency/checkpoint.ts'
import { toClaim } from '../leases/claim.ts'
import { explainLostHold, redeemForDelivery } from '../quoting/quote-token/redeem-quote.ts'
import { bookDelivery } from './book-delivery.ts'
import { withoutHold } from './hold-of-delivery.ts'

/** How long a request waits for carriers; the booking itself continues after that. */
const PATIENCE_MS = 8_000
/** How often a request checks whether another worker has finished. */
const WATCH_MS = 100

/**
 * Books a requested delivery at once; a delivery on hold is requested again first. With a `quoteId`, books only the
 * quoted option and refuses `option_changed` if that is not possible or the carrier refuses, which leaves the delivery
 * on hold. Returns the delivery's state after at most 8 s: still `requested` if no carrier has accepted by then, and
 * the queue continues. A repeated request whose booking has already ended returns the delivery as it is.
 */
export async function bookNow(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  begun: Checkpoint = noCheckpoint,
  quoteId: string | null = null,
): Promise<Delivery> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  if (begun.at !== null && row.status !== 'requested') return toDelivery(row)
  refuseUnlessBookable(row, entry.nowMs(), quoteId === null ? 'any_option' : 'held_option')
  if (quoteId !== null) return bookHeld(deps, entry, row, begun, quoteId)
  const isNoted = row.status === 'on_hold' && (await requestAgain(deps, entry, row, begun))
  if (!isNoted) await begun.note(deps.db, row.delivery_id)
  return bookSoon(deps, entry, row)
}

/** `held_option`: only the option of a quote may be booked. Refuses `not_bookable` and `booking_in_progress`. */
export function refuseUnlessBookable(
  row: DeliveryRow,
  nowMs: number,
  booking: 'any_option' | 'held_option',
): void {
  const why = whyNot('book', toActionFacts(toDelivery(row), nowMs))
  if (why === 'wrong_status') {
    throw new Refusal(
      'not_bookable',
      `Delivery ${row.reference} is ${row.status}: only requested ones and those on hold can be booked.`,
    )
  }
  if (why === 'for_own_courier') {
    throw new Refusal(
      'not_bookable',
      `Delivery ${row.reference} is for a staff courier, who has to accept it: offer it again with PATCH …/assign.`,
    )
  }
  // A quote promises one option: it cannot be kept while another may be booked.
  if (why === 'unanswered' || (row.pending_attempt !== null && booking === 'held_option'))
    throw mayBeBooked(row)
}

/** Books what the quote promised, or refuses `option_changed`; if the carrier refuses, the delivery stays on hold. */
async function bookHeld(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  begun: Checkpoint,
  quoteId: string,
): Promise<Delivery> {
  const { redemption, patch } = await redeemForDelivery(deps, entry, row, quoteId)
  if (!(await requestAgain(deps, entry, row, begun, patch))) {
    throw new Refusal(
      'version_conflict',
      `Delivery ${row.reference} has just changed. Check the delivery, then book it again.`,
    )
  }
  const delivery = await bookSoon(deps, entry, row)
  const lost = await explainLostHold(deps, redemption, row.delivery_id)
  if (lost) throw lost
  return delivery
}

function mayBeBooked(row: DeliveryRow): Refusal {
  const { reference, status } = row
  if (status === 'on_hold') {
    return new Refusal(
      'not_bookable',
      `Delivery ${reference} may already be booked. ${reasonAndRemedy(toDelivery(row))}`.trim(),
    )
  }
  return new Refusal(
    'booking_in_progress',
    `Delivery ${reference} is being booked right now. Try again once the booking attempt has ended.`,
  )
}

/**
 * Books a requested delivery, or waits for the worker that is booking it, for at most 8 s; returns its state at that
 * point.
 */
export async function bookSoon(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<Delivery> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const claimedAtMs = performance.now()
    const claimed = await claimDelivery(deps.db, row.account_id, row.delivery_id, {
      leaseMs: deps.leaseMs,
      nowMs: entry.nowMs(),
    })
    if (claimed && awaitsCarrier(claimed)) return bookWithin(deps, entry, claimed, { claimedAtMs, endMs })
    if (claimed) await releaseUnchanged(deps, claimed)
    // A worker that already holds the lease books the delivery for this request as well.
    const current = claimed ?? (await findDelivery(deps.db, row.account_id, row.delivery_id)) ?? row
    if (!awaitsCarrier(current) || performance.now() >= endMs) return toDelivery(current)
    await sleep(WATCH_MS, undefined, { ref: false })
  }
}

/** Meanwhile a clerk may have assigned it to a staff courier, who has the offer on their phone. */
function awaitsCarrier({ status, content }: DeliveryRow): boolean {
  return status === 'requested' && !content.staffCourier
}

/**
 * Books a delivery that this request has just claimed; returns its state when the booking or the wait ends. `attempts`:
 * its booking attempts so far, if the request knows them.
 */
export async function bookWithin(
  deps: Deps,
  entry: AccountEntry,
  claimed: DeliveryRow,
  {
    claimedAtMs,
    endMs = performance.now() + PATIENCE_MS,
    attempts,
  }: { claimedAtMs: number; endMs?: number; attempts?: readonly AnyIntent[] },
): Promise<Delivery> {
  const work = { deps, entry, claim: toClaim(deps, claimed, claimedAtMs, 'api') }
  const booking = bookDelivery(work, attempts).catch((error: unknown) => {
    deps.log.error(
      { err: error, delivery: claimed.delivery_id },
      'booking failed; its lease will end and the queue goes on',
    )
    return null
  })
  const patience = sleep(Math.max(0, endMs - performance.now()), null, { ref: false })
  const row =
    (await Promise.race([booking, patience])) ??
    (await findDelivery(deps.db, claimed.account_id, claimed.delivery_id))
  return toDelivery(row ?? claimed)
}

async function releaseUnchanged(
  deps: Deps,
  { account_id, delivery_id, fence, due_at }: DeliveryRow,
): Promise<void> {
  await releaseDeliveries(deps.db, account_id, [{ deliveryId: delivery_id, fence }], due_at ?? 0)
}

/**
 * Requests the delivery again: due at once, with all earlier refusals forgotten. `held`: the fields of a quote's
 * promise; without it any promise is removed. False: the delivery has changed meanwhile.
 */
async function requestAgain(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  begun: Checkpoint,
  held: DeliveryPatch = { chosen: withoutHold(row.chosen) },
): Promise<boolean> {
  const attempts = await listIntents(deps.db, row.account_id, row.delivery_id)
  const { account_id: accountId, delivery_id: deliveryId } = row
  const nowMs = entry.nowMs()
  const guard = { statuses: [row.status], noOpenAttempt: true, contentVersion: row.content_version }
  const isHeld = row.status === 'on_hold'
  const patch = {
    ...held,
    status: 'requested',
    status_reason: null,
    ...(isHeld ? { requested_at: nowMs, excluded_providers: [] } : {}),
    due_at: nowMs,
    booking_attempts: 0,
    refusals_valid_from_attempt: getLastAttempt(attempts),
  } as const
  const eventFields = { atMs: nowMs, source: 'api' } as const
  const events = isHeld ? transitionEvents(deps, ['on_hold', 'requested'], eventFields) : []
  // In one transaction: a checkpoint with the delivery still on hold would look as if the booking had been tried
  // already.
  return withTransaction(deps.db, async (db) => {
    const changed = await changeDelivery(db, { accountId, deliveryId, nowMs, guard }, patch, events)
    if (changed) await begun.note(db, deliveryId)
    return changed !== null
  })
}
