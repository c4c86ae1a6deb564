import type { SandboxConsignment, SandboxPushed } from '../../carriers/sandbox/engine/sandbox-store.ts'
import { type Db, instant } from '../db/db.ts'
import { makeClaimer } from '../leases/claim-due.ts'
import { SANDBOX_CONSIGNMENT_COLUMNS } from './sandbox.ts'

/** A sandbox consignment whose next event is due to be pushed, as claimed by one worker. */
export type DueSandboxConsignment = SandboxConsignment & {
  fence: number
  /** Claims since the last push that was taken. */
  claims: number
}

/** Claims consignments with due events. */
export const claimDueSandbox = makeClaimer<DueSandboxConsignment>({
  name: 'claim-due-sandbox',
  table: 'sandbox_consignments',
  as: 'c',
  key: ['consignment_number'],
  columns: `${SANDBOX_CONSIGNMENT_COLUMNS}, c.fence, c.claims`,
  // A receiver that refuses one refuses all: none of them is poison.
  notQuarantined: true,
})

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
export async function deadLetterDueSandbox(
  db: Db,
  claim: DueSandboxConsignment,
  reason: string,
): Promise<void> {
  await db.query({
    name: 'park-due-sandbox',
    text: `update sandbox_consignments
      set lease_until = null, due_at = null, dead_lettered_at = now(), dead_letter_reason = $4
      where account_id = $1 and consignment_number = $2 and fence = $3`,
    values: [claim.accountId, claim.consignmentNumber, claim.fence, reason],
  })
}
