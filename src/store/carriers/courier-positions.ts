import { type Db, instant } from '../db/db.ts'

export type PositionRow = { atMs: number; lat: number; lng: number; courierName: string | null }

/** Keeps where a delivery's courier is; what is older than what is known changes nothing. */
export async function storeCourierPosition(
  db: Db,
  { accountId, deliveryId }: { accountId: string; deliveryId: string },
  { atMs, lat, lng, courierName }: PositionRow,
): Promise<void> {
  await db.query({
    name: 'keep-courier-position',
    text: `insert into courier_positions as p (account_id, delivery_id, at, lat, lng, courier_name)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (account_id, delivery_id) do update
      set at = excluded.at, lat = excluded.lat, lng = excluded.lng,
        courier_name = coalesce(excluded.courier_name, p.courier_name)
      where p.at < excluded.at`,
    values: [accountId, deliveryId, instant(atMs), lat, lng, courierName],
  })
}

/** Where its courier last was, or null. */
export async function findCourierPosition(
  db: Db,
  accountId: string,
  deliveryId: string,
): Promise<PositionRow | null> {
  const { rows } = await db.query<PositionRow>({
    name: 'find-courier-position',
    text: `select at as "atMs", lat, lng, courier_name as "courierName" from courier_positions
      where account_id = $1 and delivery_id = $2`,
    values: [accountId, deliveryId],
  })
  return rows[0] ?? null
}

/** Forgets where its courier was: another carrier's comes. */
export async function purgeCourierPosition(db: Db, accountId: string, deliveryId: string): Promise<void> {
  await db.query({
    name: 'forget-courier-position',
    text: 'delete from courier_positions where account_id = $1 and delivery_id = $2',
    values: [accountId, deliveryId],
  })
}

/** Forgets where couriers were whose delivery is at its end, a batch at a time; answers how many. */
export async function purgeOldPositions(db: Db, batch = 5_000): Promise<number> {
  const { rowCount } = await db.query(
    `delete from courier_positions as p using (
       select account_id, delivery_id from courier_positions join deliveries using (account_id, delivery_id)
       where status in ('delivered', 'returned', 'cancelled') limit $1) as over
     where p.account_id = over.account_id and p.delivery_id = over.delivery_id`,
    [batch],
  )
  return rowCount ?? 0
}
