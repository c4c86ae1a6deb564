import type { CarrierUpdate } from '../../domain/delivery/timeline.ts'
import type { TrackingUpdate } from '../../domain/delivery/tracking-updates.ts'
import { type Db, instant } from '../db/db.ts'

/** Stores carrier events as received; returns the new ones. */
export async function storeCarrierEvents(
  db: Db,
  accountId: string,
  deliveryId: string,
  updates: readonly TrackingUpdate[],
  receivedAtMs: number,
): Promise<TrackingUpdate[]> {
  const { rows } = await db.query<{ carrier_event_id: string }>({
    name: 'keep-carrier-events',
    text: `insert into carrier_events (account_id, delivery_id, carrier_event_id, at, received_at, status, sub_status, carrier_message)
      select $1, $2, e.id, e.at, $3, e.status, e.sub_status, e.carrier_message
      from unnest($4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[]) as e(id, at, status, sub_status, carrier_message)
      on conflict do nothing returning carrier_event_id`,
    values: [
      accountId,
      deliveryId,
      instant(receivedAtMs),
      updates.map(({ eventId }) => eventId),
      updates.map(({ atMs }) => instant(atMs)),
      updates.map(({ status }) => status),
      updates.map(({ subStatus }) => subStatus),
      updates.map(({ message }) => message),
    ],
  })
  const fresh = new Set(rows.map((row) => row.carrier_event_id))
  return updates.filter(({ eventId }) => fresh.delete(eventId))
}

/** A delivery's stored carrier events that were received at `sinceMs` (account time) or later. */
export async function listCarrierUpdatesSince(
  db: Db,
  accountId: string,
  deliveryId: string,
  sinceMs: number,
): Promise<TrackingUpdate[]> {
  const { rows } = await db.query<TrackingUpdate>({
    name: 'list-carrier-events-since',
    text: `select carrier_event_id as "eventId", at as "atMs", status, sub_status as "subStatus", carrier_message as message
      from carrier_events where account_id = $1 and delivery_id = $2 and received_at >= $3`,
    values: [accountId, deliveryId, instant(sinceMs)],
  })
  return rows
}

/** All stored carrier events of a delivery, in order of receipt. */
export async function listCarrierUpdates(
  db: Db,
  accountId: string,
  deliveryId: string,
): Promise<CarrierUpdate[]> {
  const { rows } = await db.query<CarrierUpdate>({
    name: 'list-carrier-events',
    text: `select carrier_event_id as "eventId", at as "atMs", received_at as "arrivedAtMs", status,
             sub_status as "subStatus", carrier_message as message
           from carrier_events where account_id = $1 and delivery_id = $2
           order by received_at, at, carrier_event_id`,
    values: [accountId, deliveryId],
  })
  return rows
}

/** The ids of all stored carrier events of these deliveries, by delivery. */
export async function listKnownCarrierUpdates(
  db: Db,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await db.query<{ delivery_id: string; ids: string[] }>({
    name: 'list-known-carrier-events',
    text: `select delivery_id, array_agg(carrier_event_id) as ids from carrier_events
      where account_id = $1 and delivery_id = any($2::text[]) group by delivery_id`,
    values: [accountId, deliveryIds],
  })
  return new Map(rows.map(({ delivery_id, ids }) => [delivery_id, new Set(ids)]))
}
