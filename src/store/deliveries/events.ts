import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import type { Db } from '../db/db.ts'

/** Transactional outbox: an event, to be written in the same statement as the change that it reports. */
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
  /** Additional data of the event; absent: no data. */
  data?: Record<string, unknown>
}

/** The time of the newest step that a driver reported for a delivery; null: no report. */
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

/** All events of a delivery, in the order in which they were written. */
export async function listTimeline(db: Db, accountId: string, deliveryId: string): Promise<DeliveryEvent[]> {
  const { rows } = await db.query<DeliveryEvent>({
    name: 'list-timeline',
    text: `select event_id as id, type, at as "atMs", source, from_status as "from", to_status as "to",
             sub_status as "subStatus", consignment_number as "consignmentNumber", detail,
             data->>'other_consignment_number' as "otherConsignmentNumber", data->'changes' as changes
           from events where account_id = $1 and stream = $2 order by position`,
    values: [accountId, deliveryId],
  })
  return rows
}
