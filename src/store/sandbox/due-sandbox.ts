import type { SandboxConsignment, SandboxPushed } from '../../carriers/sandbox/engine/sandbox-store.ts'
import { type Db, instant } from '../db/db.ts'
import { SANDBOX_CONSIGNMENT_COLUMNS } from './sandbox-rows.ts'

/** A sandbox consignment whose next news is due to be pushed, as claimed by one worker. */
export type DueSandboxConsignment = SandboxConsignment & {
  fence: number
  /** Claims since the last push that was taken. */
  claims: number
}

/** Claims up to `limit` consignments with due news for `leaseMs` of wall time. */
export async function claimDueSandbox(
  db: Db,
  accountIds: readonly string[],
  nowsMs: readonly number[],
  limit: number,
  leaseMs: number,
): Promise<DueSandboxConsignment[]> {
  const { rows } = await db.query<DueSandboxConsignment>({
    name: 'claim-due-sandbox',
    text: `with due as (
        select d.account_id, d.consignment_number
        from unnest($1::text[], $2::timestamptz[]) as a(account_id, now)
        cross join lateral (
          select account_id, consignment_number from sandbox_consignments
          where account_id = a.account_id and due_at <= a.now and (lease_until is null or lease_until < now())
          order by due_at limit $3 for update skip locked) as d
        limit $3)
      update sandbox_consignments as c
      set lease_until = now() + $4 * interval '1 millisecond', fence = fence + 1, claims = claims + 1
      from due where c.account_id = due.account_id and c.consignment_number = due.consignment_number
      returning ${SANDBOX_CONSIGNMENT_COLUMNS}, c.fence, c.claims`,
    values: [accountIds, nowsMs.map(instant), limit, leaseMs],
  })
  return rows
}

/**
 * Records what was pushed and gives the row back. A refused push keeps its count of claims, so that its
 * pauses grow. False: the lease was lost, and nothing was written.
 */
export async function settleDueSandbox(
  db: Db,
  claim: DueSandboxConsignment,
  { pushed, dueAtMs, refused }: SandboxPushed,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'settle-due-sandbox',
    text: `update sandbox_consignments
      set lease_until = null, pushed = $4, claims = case when $6 then claims else 0 end,
        due_at = case when cancelled_at is null then $5::timestamptz end
      where account_id = $1 and consignment_number = $2 and fence = $3`,
    values: [
      claim.accountId,
      claim.consignmentNumber,
      claim.fence,
      pushed,
      dueAtMs === null ? null : instant(dueAtMs),
      refused,
    ],
  })
  return rowCount === 1
}

/** Takes a consignment out of the queue after too many refused pushes; people see why. */
export async function parkDueSandbox(db: Db, claim: DueSandboxConsignment, reason: string): Promise<void> {
  await db.query({
    name: 'park-due-sandbox',
    text: `update sandbox_consignments
      set lease_until = null, due_at = null, parked_at = now(), parked_reason = $4
      where account_id = $1 and consignment_number = $2 and fence = $3`,
    values: [claim.accountId, claim.consignmentNumber, claim.fence, reason],
  })
}
