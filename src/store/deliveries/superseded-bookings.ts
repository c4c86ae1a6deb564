import { type Db, instant } from '../db/db.ts'
import { makeClaimer } from '../leases/claim-due.ts'
import { type AnyIntent, DROP_REQUEST, INTENT_COLUMNS } from './booking-intents.ts'

/** Reconciliation: an attempt that was given up or superseded, to be looked up at its carrier. */
export type SupersededBooking = AnyIntent & {
  accountId: string
  deliveryId: string
  /** Account time. */
  givenUpAtMs: number
  fence: number
  claims: number
}

/** Claims attempts whose carriers are to be queried again. */
export const claimDueSuperseded = makeClaimer<SupersededBooking>({
  name: 'claim-due-superseded',
  table: 'booking_intents',
  as: 'i',
  key: ['delivery_id', 'attempt'],
  columns: `${INTENT_COLUMNS}, i.account_id as "accountId", i.delivery_id as "deliveryId",
    i.abandoned_at as "givenUpAtMs", i.fence, i.claims`,
})

/**
 * Ends a lookup; the next one is due at `dueAtMs` (account time; null: never, so the attempt loses its request). False:
 * another process has taken over.
 */
export async function endLookUp(
  db: Db,
  { accountId, deliveryId, attempt, fence }: SupersededBooking,
  dueAtMs: number | null,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: dueAtMs === null ? 'end-last-look' : 'end-look',
    text: `update booking_intents set due_at = $5, lease_until = null, claims = 0${dueAtMs === null ? `, ${DROP_REQUEST}` : ''}
           where account_id = $1 and delivery_id = $2 and attempt = $3 and fence = $4`,
    values: [accountId, deliveryId, attempt, fence, dueAtMs === null ? null : instant(dueAtMs)],
  })
  return rowCount === 1
}
