import { setTimeout as sleep } from 'node:timers/promises'
import type { Delivery } from '../domain/delivery/delivery.ts'
import { can } from '../domain/delivery/status.ts'
import { Refusal } from '../domain/errors.ts'
import { listIntents } from '../store/booking-intents.ts'
import { changeDelivery } from '../store/change-delivery.ts'
import { findDelivery } from '../store/deliveries.ts'
import { type DeliveryRow, deliveryOf } from '../store/delivery-rows.ts'
import { claimDelivery, releaseDeliveries } from '../store/due-deliveries.ts'
import { withTransaction } from '../store/pool.ts'
import type { AccountEntry } from './account-directory.ts'
import { type Begun, unbegun } from './begun.ts'
import { bookDelivery } from './book-delivery.ts'
import type { Caller } from './caller.ts'
import { claimOf } from './claim.ts'
import type { Deps } from './deps.ts'
import { eventsAlong } from './events-along.ts'
import { type DeliveryName, getDeliveryRow } from './get-delivery.ts'

/** How long a request waits for carriers; the booking itself goes on after it. */
const PATIENCE_MS = 8_000
/** How often a request looks whether another worker is done. */
const WATCH_MS = 100

/**
 * Books a requested delivery at once; one on hold is requested again first. Answers it as it stands after at
 * most 8 s: still `requested` when no carrier has said yes by then, and the queue goes on. What the same request had begun
 * and has come to its end is answered as it stands.
 */
export async function bookNow(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  begun: Begun = unbegun,
): Promise<Delivery> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  if (begun.at !== null && row.status !== 'requested') return deliveryOf(row)
  if (!can('book', row)) {
    throw new Refusal(
      'not_bookable',
      `Delivery ${row.reference} is ${row.status}: only requested ones and those on hold can be booked.`,
    )
  }
  if (row.content.staffCourier) {
    throw new Refusal(
      'not_bookable',
      `Delivery ${row.reference} is for a staff courier, who has to accept it: offer it anew with PATCH …/assign.`,
    )
  }
  if (row.status === 'on_hold') await requestAgain(deps, entry, row, begun)
  else await begun.note(deps.db, row.delivery_id)
  return bookSoon(deps, entry, row)
}

/** Books a requested delivery, or watches who is at it, for at most 8 s; answers it as it stands then. */
export async function bookSoon(deps: Deps, entry: AccountEntry, row: DeliveryRow): Promise<Delivery> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const claimedAtMs = performance.now()
    const claimed = await claimDelivery(deps.db, row.account_id, row.delivery_id, {
      leaseMs: deps.leaseMs,
      nowMs: entry.nowMs(),
    })
    if (claimed?.status === 'requested') return bookWithin(deps, entry, claimed, claimedAtMs, endMs)
    if (claimed) await giveBack(deps, claimed)
    // A worker that has it already books it for this request as well.
    const current = claimed ?? (await findDelivery(deps.db, row.account_id, row.delivery_id)) ?? row
    if (current.status !== 'requested' || performance.now() >= endMs) return deliveryOf(current)
    await sleep(WATCH_MS, undefined, { ref: false })
  }
}

/** Books a delivery that this request has just claimed, and answers it as it stands when patience ends. */
export async function bookWithin(
  deps: Deps,
  entry: AccountEntry,
  claimed: DeliveryRow,
  claimedAtMs: number,
  endMs = performance.now() + PATIENCE_MS,
): Promise<Delivery> {
  const work = { deps, entry, claim: claimOf(deps, claimed, claimedAtMs, 'api') }
  const booking = bookDelivery(work).catch((error: unknown) => {
    deps.log.error(
      { err: error, delivery: claimed.delivery_id },
      'booking failed; its lease will end and the queue goes on',
    )
  })
  await Promise.race([booking, sleep(Math.max(0, endMs - performance.now()), undefined, { ref: false })])
  const row = await findDelivery(deps.db, claimed.account_id, claimed.delivery_id)
  return deliveryOf(row ?? claimed)
}

async function giveBack(deps: Deps, { account_id, delivery_id, fence, due_at }: DeliveryRow): Promise<void> {
  await releaseDeliveries(deps.db, account_id, [{ deliveryId: delivery_id, fence }], due_at ?? 0)
}

async function requestAgain(deps: Deps, entry: AccountEntry, row: DeliveryRow, begun: Begun): Promise<void> {
  if (row.open_attempt !== null) {
    throw new Refusal(
      'not_bookable',
      `Delivery ${row.reference} may already be booked. ${row.status_reason ?? ''}`.trim(),
    )
  }
  const attempts = await listIntents(deps.db, row.account_id, row.delivery_id)
  const { account_id: accountId, delivery_id: deliveryId } = row
  const nowMs = entry.nowMs()
  const guard = { statuses: ['on_hold'], noOpenAttempt: true } as const
  const patch = {
    status: 'requested',
    status_reason: null,
    requested_at: nowMs,
    due_at: nowMs,
    booking_tries: 0,
    refusals_from: attempts.length,
    avoided_providers: [],
  } as const
  const events = eventsAlong(deps, ['on_hold', 'requested'], { atMs: nowMs, source: 'api' })
  // Together: on hold it would look as if it had been tried already.
  await withTransaction(deps.db, async (db) => {
    await changeDelivery(db, { accountId, deliveryId, nowMs, guard }, patch, events)
    await begun.note(db, deliveryId)
  })
}
