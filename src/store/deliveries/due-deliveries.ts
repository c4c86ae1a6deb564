import { type Db, instant } from '../db/db.ts'
import { makeClaimer } from '../leases/claim-due.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery-rows.ts'

/** Requeues a dead-lettered row: for writes that move the delivery on, so a person need not look at it any more. */
export const NOT_DEAD_LETTERED = 'dead_lettered_at = null, dead_letter_reason = null'
/** The dead-letter reason does not explain the row's new status. */
export const REASON_WITHOUT_DEAD_LETTER =
  'status_reason = case when status_reason = dead_letter_reason then null else status_reason end'

const CLAIMED = DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')

/**
 * A row with its `xmin` as this process claimed it: the same as long as no transaction has changed the row since. Citus
 * has none for rows of several nodes.
 */
export type VersionedRow = DeliveryRow & { rowVersion?: string | null }

/** With the trace of the request that caused the work. `isUntried`: it is known to have had no booking attempt before the claim. */
export type DueDeliveryRow = Required<VersionedRow> & { traceparent: string | null; isUntried: boolean }

const IS_UNTRIED = `not exists (
  select from booking_intents as i where i.account_id = d.account_id and i.delivery_id = d.delivery_id)`

/** Claims due deliveries. */
export const claimDueDeliveries = makeClaimer<DueDeliveryRow>({
  name: 'claim-due-deliveries',
  table: 'deliveries',
  as: 'd',
  key: ['delivery_id'],
  columns: `${CLAIMED}, d.traceparent, d.xmin::text as "rowVersion", ${IS_UNTRIED} as "isUntried"`,
  onCitus: { columns: `${CLAIMED}, d.traceparent, null as "rowVersion", false as "isUntried"` },
})

/**
 * Claims one delivery for work inside a request; null if another worker has it. A requested delivery is due from then
 * on, at `nowMs` of account time: if the process dies, a worker continues, and a dead-lettered row is queued again. An
 * offer to a staff courier keeps its due time, at which the offer ends.
 */
export async function claimDelivery(
  db: Db,
  accountId: string,
  deliveryId: string,
  { leaseMs, nowMs }: { leaseMs: number; nowMs: number },
): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'claim-delivery',
    text: `update deliveries as d
      set lease_until = now() + $3 * interval '1 millisecond', fence = fence + 1,
        claims = case when dead_lettered_at is null then claims + 1 else 1 end, ${NOT_DEAD_LETTERED},
        due_at = case when status = 'requested' and content->>'staffCourier' is null
          then least(coalesce(due_at, $4), $4) else due_at end
      where account_id = $1 and delivery_id = $2 and (lease_until is null or lease_until < now())
      returning ${CLAIMED}`,
    values: [accountId, deliveryId, leaseMs, instant(nowMs)],
  })
  return rows[0] ?? null
}

/**
 * Releases the row unchanged, due again at `dueAtMs` (account time; null: nothing left to do); `tried` counts a booking
 * try.
 */
export async function releaseDelivery(
  db: Db,
  claim: { accountId: string; deliveryId: string; fence: number },
  dueAtMs: number | null,
  { reason = null, tried = false }: { reason?: string | null; tried?: boolean } = {},
): Promise<void> {
  await db.query({
    name: 'release-delivery',
    text: `update deliveries set lease_until = null, claims = 0, due_at = $4, status_reason = coalesce($5, status_reason),
        booking_attempts = booking_attempts + $6
      where account_id = $1 and delivery_id = $2 and fence = $3`,
    values: [
      claim.accountId,
      claim.deliveryId,
      claim.fence,
      dueAtMs === null ? null : instant(dueAtMs),
      reason,
      tried ? 1 : 0,
    ],
  })
}

/** Releases rows together, due again at `dueAtMs` (account time; null: never) unless they have ended meanwhile. */
export async function releaseDeliveries(
  db: Db,
  accountId: string,
  claims: readonly { deliveryId: string; fence: number }[],
  dueAtMs: number | null,
): Promise<void> {
  await db.query({
    name: 'release-deliveries',
    // In the lock order of all code that locks several: a clerk's manifest may need the same rows now.
    text: `with held as (
        select d.delivery_id
        from deliveries as d join unnest($2::text[], $3::bigint[]) as claim(delivery_id, fence) using (delivery_id)
        where d.account_id = $1 and d.fence = claim.fence
        order by d.delivery_id for update of d)
      update deliveries as d
      set lease_until = null, claims = 0, due_at = case when d.due_at is not null then $4::timestamptz end
      from held where d.account_id = $1 and d.delivery_id = held.delivery_id`,
    values: [
      accountId,
      claims.map(({ deliveryId }) => deliveryId),
      claims.map(({ fence }) => fence),
      dueAtMs === null ? null : instant(dueAtMs),
    ],
  })
}

/** Extends the lease of long work. False: the lease was lost, so stop. */
export async function extendDeliveryLease(
  db: Db,
  claim: { accountId: string; deliveryId: string; fence: number },
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'extend-delivery-lease',
    text: `update deliveries set lease_until = now() + $4 * interval '1 millisecond'
      where account_id = $1 and delivery_id = $2 and fence = $3 and lease_until is not null`,
    values: [claim.accountId, claim.deliveryId, claim.fence, leaseMs],
  })
  return rowCount === 1
}

/**
 * Dead letter: takes a row out of the queue after too many claims without a result, with the reason for the operator.
 * `nowMs` is account time.
 */
export async function deadLetterDelivery(
  db: Db,
  claim: { accountId: string; deliveryId: string; fence: number },
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<void> {
  await db.query({
    name: 'park-delivery',
    text: `update deliveries set lease_until = null, due_at = null, dead_lettered_at = now(), dead_letter_reason = $4, status_reason = $4,
        updated_at = $5
      where account_id = $1 and delivery_id = $2 and fence = $3`,
    values: [claim.accountId, claim.deliveryId, claim.fence, reason, instant(nowMs)],
  })
}

/** Puts a dead-lettered row back into the queue, with its tries. False: it was not dead-lettered, or it has ended. */
export async function requeueDelivery(
  db: Db,
  accountId: string,
  deliveryId: string,
  nowMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'unpark-delivery',
    text: `update deliveries set due_at = $3, claims = 0, updated_at = $3, ${NOT_DEAD_LETTERED}, ${REASON_WITHOUT_DEAD_LETTER}
      where account_id = $1 and delivery_id = $2 and dead_lettered_at is not null
        and status not in ('delivered', 'returned', 'cancelled')`,
    values: [accountId, deliveryId, instant(nowMs)],
  })
  return rowCount === 1
}
