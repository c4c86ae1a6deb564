import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import type { Db } from '../db/db.ts'

/** An event about to be told in the same statement as what it tells. */
export type NewEvent = {
  eventId: string
  type: string
  atMs: number
  source: DeliveryEvent['source']
  from: Status | null
  to: Status | null
  subStatus: string | null
  consignmentNumber: string | null
  detail: string | null
  /** What it says besides; absent: nothing. */
  data?: Record<string, unknown>
}

/** The time of the newest thing that a driver has told of a delivery; null: nothing. */
export async function findLastStepTime(
  db: Db,
  accountId: string,
  deliveryId: string,
): Promise<number | null> {
  const { rows } = await db.query<{ at: number | null }>({
    name: 'find-last-step-time',
    text: `select max(at) as at from events where account_id = $1 and stream = $2 and source = 'driver'`,
    values: [accountId, deliveryId],
  })
  return rows[0]?.at ?? null
}

/** Everything told of a delivery, in the order in which it was told. */
export async function listTimeline(db: Db, accountId: string, deliveryId: string): Promise<DeliveryEvent[]> {
  const { rows } = await db.query<DeliveryEvent>({
    name: 'list-timeline',
    text: `select event_id as id, type, at as "atMs", source, from_status as "from", to_status as "to",
             sub_status as "subStatus", consignment_number as "consignmentNumber", detail,
             data->'changes' as changes
           from events where account_id = $1 and stream = $2 order by position`,
    values: [accountId, deliveryId],
  })
  return rows
}
