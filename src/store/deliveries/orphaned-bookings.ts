import type { SurplusBooking } from '../../domain/delivery/surplus-bookings.ts'
import { type Db, instant } from '../db/db.ts'
import { makeClaimer } from '../leases/claim-due.ts'

/** Orphaned booking: a booking that a carrier holds although its attempt was given up. */
export type FoundOrphan = {
  accountId: string
  provider: string
  /** The reference for calls to its carrier. */
  reference: string
  deliveryId: string
  attempt: number
  consignmentNumber: string
}

/** An orphaned booking that a process has leased. */
export type OrphanedBooking = FoundOrphan & {
  /** Account time. */
  foundAtMs: number
  /** Cancellation requests without an answer. */
  attempts: number
  fence: number
  claims: number
}

/** `refused`: the carrier refuses to cancel it; `by_phone_only`: its interface takes no cancellations. */
export type OrphanOutcome = 'cancelled' | Exclude<SurplusBooking['outcome'], null>

const COLUMNS = `s.account_id as "accountId", s.provider, s.reference, s.delivery_id as "deliveryId", s.attempt,
  s.consignment_number as "consignmentNumber", s.found_at as "foundAtMs", s.attempts, s.fence, s.claims`

/**
 * Records an orphaned booking, due at once for a worker to cancel. False: it is recorded already, or its attempt has not
 * been given up.
 */
export async function recordOrphan(
  db: Db,
  { accountId, provider, reference, deliveryId, attempt, consignmentNumber }: FoundOrphan,
  nowMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record-orphan',
    text: `insert into orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number,
        found_at, due_at, fence, claims)
      select account_id, $2, $3, delivery_id, attempt, $6, $7, $7, 0, 0
      from booking_intents
      where account_id = $1 and delivery_id = $4 and attempt = $5 and state in ('void', 'rejected')
      on conflict do nothing`,
    values: [accountId, provider, reference, deliveryId, attempt, consignmentNumber, instant(nowMs)],
  })
  return rowCount === 1
}

/** The bookings of a carrier, among these, that are recorded as orphaned, whether closed or not. */
export async function listOrphans(
  db: Db,
  accountId: string,
  provider: string,
  references: readonly string[],
): Promise<{ reference: string; deliveryId: string }[]> {
  const { rows } = await db.query<{ reference: string; deliveryId: string }>({
    name: 'list-orphans',
    text: `select reference, delivery_id as "deliveryId" from orphaned_bookings
      where account_id = $1 and provider = $2 and reference = any($3)`,
    values: [accountId, provider, references],
  })
  return rows
}

/**
 * A delivery's bookings that carriers still hold as far as we know, except those that no carrier was asked to cancel
 * yet.
 */
export async function listSurplus(db: Db, accountId: string, deliveryId: string): Promise<SurplusBooking[]> {
  const { rows } = await db.query<SurplusBooking>({
    name: 'list-surplus',
    text: `select i.option->>'carrierName' as "carrierName", s.consignment_number as "consignmentNumber", s.outcome
      from orphaned_bookings as s join booking_intents as i using (account_id, delivery_id, attempt)
      where s.account_id = $1 and s.delivery_id = $2 and s.outcome is distinct from 'cancelled'
        and (s.outcome is not null or s.attempts > 0)
      order by s.attempt, s.reference`,
    values: [accountId, deliveryId],
  })
  return rows
}

/** Claims orphaned bookings whose carriers are to be asked again. */
export const claimDueOrphans = makeClaimer<OrphanedBooking>({
  name: 'claim-due-strays',
  table: 'orphaned_bookings',
  as: 's',
  key: ['provider', 'reference'],
  columns: COLUMNS,
})

const HELD = 'account_id = $1 and provider = $2 and reference = $3 and fence = $4'

function keyOf({ accountId, provider, reference, fence }: OrphanedBooking): unknown[] {
  return [accountId, provider, reference, fence]
}

/** The carrier has not answered: ask again at `dueAtMs`. False: another process has taken over. */
export async function rescheduleOrphan(db: Db, orphan: OrphanedBooking, dueAtMs: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'put-off-stray',
    text: `update orphaned_bookings set due_at = $5, attempts = attempts + 1, lease_until = null, claims = 0 where ${HELD}`,
    values: [...keyOf(orphan), instant(dueAtMs)],
  })
  return rowCount === 1
}

/** Stops asking the carrier. False: another process has taken over. */
export async function closeOrphan(db: Db, orphan: OrphanedBooking, outcome: OrphanOutcome): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'end-stray',
    text: `update orphaned_bookings set outcome = $5, due_at = null, lease_until = null where ${HELD}`,
    values: [...keyOf(orphan), outcome],
  })
  return rowCount === 1
}

/**
 * A person's word that the carrier has cancelled it. Increments the fence: a process that is asking the carrier no
 * longer matches. False: no open orphaned booking of the delivery has this number.
 */
export async function closeOrphanByHand(
  db: Db,
  accountId: string,
  deliveryId: string,
  consignmentNumber: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'end-stray-by-hand',
    text: `update orphaned_bookings set outcome = 'cancelled', due_at = null, lease_until = null, fence = fence + 1
      where account_id = $1 and delivery_id = $2 and consignment_number = $3 and outcome is distinct from 'cancelled'`,
    values: [accountId, deliveryId, consignmentNumber],
  })
  return rowCount !== null && rowCount > 0
}

/** The carrier of a delivery's orphaned booking, whether closed or not; null: it has no such booking. */
export async function findOrphanCarrier(
  db: Db,
  accountId: string,
  deliveryId: string,
  consignmentNumber: string,
): Promise<string | null> {
  const { rows } = await db.query<{ carrierName: string }>({
    name: 'find-stray-carrier',
    text: `select i.option->>'carrierName' as "carrierName"
      from orphaned_bookings as s join booking_intents as i using (account_id, delivery_id, attempt)
      where s.account_id = $1 and s.delivery_id = $2 and s.consignment_number = $3 limit 1`,
    values: [accountId, deliveryId, consignmentNumber],
  })
  return rows[0]?.carrierName ?? null
}

/** Not orphaned: the delivery uses this booking. */
export async function discardOrphan(db: Db, orphan: OrphanedBooking): Promise<void> {
  await db.query({
    name: 'drop-stray',
    text: `delete from orphaned_bookings where ${HELD}`,
    values: keyOf(orphan),
  })
}
