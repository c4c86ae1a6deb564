import { type Db, instant } from '../db/db.ts'
import type { AccountNows } from '../leases/poison-row-quarantine.ts'
import { chosenSql, claimableSql, type QuarantineSlots } from '../leases/poison-row-quarantine.ts'
import { type BookingIntent, INTENT_COLUMNS } from './booking-intents.ts'

/** Reconciliation: an attempt that was given up or superseded, to be looked up at its carrier. */
export type SupersededBooking = BookingIntent & {
  accountId: string
  deliveryId: string
  /** Account time. */
  givenUpAtMs: number
  fence: number
  claims: number
}

/**
 * Claims up to `limit` attempts whose carriers are to be queried again, for `leaseMs` of wall time. `suspects`: the
 * free quarantine slots.
 */
export async function claimDueSuperseded(
  db: Db,
  { accountIds, nowsMs }: AccountNows,
  limit: number,
  leaseMs: number,
  suspects: QuarantineSlots,
): Promise<SupersededBooking[]> {
  const { rows } = await db.query<SupersededBooking>({
    name: 'claim-due-superseded',
    text: `with due as (
        select d.account_id, d.delivery_id, d.attempt, d.claims
        from unnest($1::text[], $2::timestamptz[]) as a(account_id, now)
        cross join lateral (
          select account_id, delivery_id, attempt, claims from booking_intents
          where account_id = a.account_id and due_at <= a.now and (lease_until is null or lease_until < now())
            and ${claimableSql('$5')}
          order by due_at limit $3 for update skip locked) as d
        limit $3),
      ${chosenSql('account_id, delivery_id, attempt', '$5')}
      update booking_intents as i
      set lease_until = now() + $4 * interval '1 millisecond', fence = fence + 1, claims = claims + 1
      from chosen
      where i.account_id = chosen.account_id and i.delivery_id = chosen.delivery_id and i.attempt = chosen.attempt
      returning ${INTENT_COLUMNS}, i.account_id as "accountId", i.delivery_id as "deliveryId",
        i.given_up_at as "givenUpAtMs", i.fence, i.claims`,
    values: [accountIds, nowsMs.map(instant), limit, leaseMs, suspects],
  })
  return rows
}

/**
 * Ends a lookup; the next one is due at `dueAtMs` (account time; null: never). False: another process has taken over.
 */
export async function endLook(
  db: Db,
  { accountId, deliveryId, attempt, fence }: SupersededBooking,
  dueAtMs: number | null,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'end-look',
    text: `update booking_intents set due_at = $5, lease_until = null, claims = 0
           where account_id = $1 and delivery_id = $2 and attempt = $3 and fence = $4`,
    values: [accountId, deliveryId, attempt, fence, dueAtMs === null ? null : instant(dueAtMs)],
  })
  return rowCount === 1
}
