import type { Db } from '../db/db.ts'
import { idAt } from '../db/id-times.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery-rows.ts'

const COLUMNS = DELIVERY_COLUMNS.join(', ')

/** The deliveries of an account that no carrier has yet, the newest first. */
export async function listUnbookedDeliveries(
  db: Db,
  accountId: string,
  limit: number,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'list-unbooked-deliveries',
    // What is due is unbooked, booked or under way: the index of due rows leaves out the history.
    text: `select ${COLUMNS} from deliveries
      where account_id = $1 and due_at is not null and status = 'requested'
      order by delivery_id desc limit $2`,
    values: [accountId, limit],
  })
  return rows
}

/** The deliveries whose ids were made at or after this wall time, newest first, except cancelled and erased ones. */
export async function listDeliveriesSince(
  db: Db,
  accountId: string,
  sinceMs: number,
  limit: number,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'list-deliveries-since',
    text: `select ${COLUMNS} from deliveries
      where account_id = $1 and delivery_id >= $2 and status <> 'cancelled' and erased_at is null
      order by delivery_id desc limit $3`,
    values: [accountId, idAt('dlv', sinceMs), limit],
  })
  return rows
}
