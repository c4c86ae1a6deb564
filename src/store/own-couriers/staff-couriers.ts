import type { PoolClient } from 'pg'
import { type Db, instant } from '../db/db.ts'
import type { AccountNows } from '../leases/poison-row-quarantine.ts'

/** A courier on a store's list. Instants are epoch milliseconds. */
export type StaffCourierRow = {
  courierId: string
  storeId: string
  phone: string
  driverName: string
  driverId: string | null
  active: boolean
  lastSeenAtMs: number | null
}

export type NewStaffCourier = Omit<StaffCourierRow, 'active' | 'lastSeenAtMs'>

const COLUMNS = `courier_id as "courierId", store_id as "storeId", phone, driver_name as "driverName",
  driver_id as "driverId", active, last_seen_at as "lastSeenAtMs"`

/** One page in the order of their making, and how many there are in all. Null `storeIds`: every store. */
export async function listStaffCouriers(
  db: Db,
  accountId: string,
  { storeIds, limit, offset }: { storeIds: readonly string[] | null; limit: number; offset: number },
): Promise<{ couriers: StaffCourierRow[]; total: number }> {
  const { rows } = await db.query<StaffCourierRow & { total: number }>({
    name: 'list-staff-couriers',
    text: `select ${COLUMNS}, count(*) over () as total from staff_couriers
      where account_id = $1 and removed_at is null and ($2::text[] is null or store_id = any($2))
      order by courier_id limit $3 offset $4`,
    values: [accountId, storeIds, limit, offset],
  })
  const [first] = rows
  if (first || offset === 0) return { couriers: rows, total: first?.total ?? 0 }
  const counted = await db.query<{ total: number }>({
    name: 'count-staff-couriers',
    text: `select count(*) as total from staff_couriers
      where account_id = $1 and removed_at is null and ($2::text[] is null or store_id = any($2))`,
    values: [accountId, storeIds],
  })
  return { couriers: [], total: counted.rows[0]?.total ?? 0 }
}

export async function findStaffCourier(
  db: Db,
  accountId: string,
  courierId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<StaffCourierRow | null> {
  const { rows } = await db.query<StaffCourierRow>({
    name: lock ? 'lock-staff-courier' : 'find-staff-courier',
    text: `select ${COLUMNS} from staff_couriers
      where account_id = $1 and courier_id = $2 and removed_at is null${lock ? ' for update' : ''}`,
    values: [accountId, courierId],
  })
  return rows[0] ?? null
}

/** Null: the store's list has this phone already. A removed courier returns under their old id. */
export async function insertStaffCourier(
  db: Db,
  accountId: string,
  courier: NewStaffCourier & { active: boolean },
): Promise<StaffCourierRow | null> {
  const { rows } = await db.query<StaffCourierRow>({
    name: 'insert-staff-courier',
    text: `insert into staff_couriers as s (account_id, courier_id, store_id, phone, driver_name, driver_id, active)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (account_id, store_id, phone) do update
      set driver_name = excluded.driver_name, driver_id = excluded.driver_id, active = excluded.active,
        removed_at = null
      where s.removed_at is not null
      returning ${COLUMNS}`,
    values: [
      accountId,
      courier.courierId,
      courier.storeId,
      courier.phone,
      courier.driverName,
      courier.driverId,
      courier.active,
    ],
  })
  return rows[0] ?? null
}

/** Null: there is none. A phone that the store's list has already rejects with 23505. Ends sessions as `ENDED` says. */
export async function updateStaffCourier(
  db: Db,
  accountId: string,
  courierId: string,
  change: Partial<Pick<StaffCourierRow, 'phone' | 'driverName' | 'driverId' | 'active'>>,
): Promise<StaffCourierRow | null> {
  const { rows } = await db.query<StaffCourierRow>({
    name: 'update-staff-courier',
    text: `with before as (${BEFORE}), changed as (
        update staff_couriers
        set phone = coalesce($3, phone), driver_name = coalesce($4, driver_name),
          driver_id = case when $5 then $6 else driver_id end, active = coalesce($7, active)
        where account_id = $1 and courier_id = $2 and removed_at is null
        returning *
      ), ended as (${ENDED})
      select ${COLUMNS} from changed`,
    values: [
      accountId,
      courierId,
      change.phone ?? null,
      change.driverName ?? null,
      change.driverId !== undefined,
      change.driverId ?? null,
      change.active ?? null,
    ],
  })
  return rows[0] ?? null
}

/** False: there is none. Ends sessions as `ENDED` says. */
export async function removeStaffCourier(db: Db, accountId: string, courierId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'remove-staff-courier',
    text: `with before as (${BEFORE}), changed as (
        update staff_couriers
        set removed_at = now(), active = false, lat = null, lng = null, located_at = null
        where account_id = $1 and courier_id = $2 and removed_at is null
        returning *
      ), ended as (${ENDED})
      select from changed`,
    values: [accountId, courierId],
  })
  return rowCount === 1
}

/**
 * Frees the phone of a courier who was removed from this store's list. Their row only stops an account document from
 * adding them again, which the row of the courier who gets the phone then does.
 */
export async function freeRemovedPhone(
  db: PoolClient,
  accountId: string,
  storeId: string,
  phone: string,
): Promise<void> {
  await db.query({
    name: 'free-removed-phone',
    text: `delete from staff_couriers
      where account_id = $1 and store_id = $2 and phone = $3 and removed_at is not null`,
    values: [accountId, storeId, phone],
  })
}

/**
 * Deletes the couriers who were removed before the moment, except those of the account document: it would add them
 * again. Returns their number.
 */
export async function purgeRemovedCouriers(
  db: PoolClient,
  accountId: string,
  beforeMs: number,
  documented: readonly Pick<StaffCourierRow, 'storeId' | 'phone'>[],
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'purge-removed-couriers',
    text: `delete from staff_couriers where account_id = $1 and removed_at < $2
      and (store_id, phone) not in (select * from unnest($3::text[], $4::text[]))`,
    values: [
      accountId,
      instant(beforeMs),
      documented.map(({ storeId }) => storeId),
      documented.map(({ phone }) => phone),
    ],
  })
  return rowCount ?? 0
}

const BEFORE = `select phone from staff_couriers
  where account_id = $1 and courier_id = $2 and removed_at is null`

/**
 * Whoever may no longer drive for any store of the account by this phone is logged out for good: a session that only
 * slept would wake when the courier is switched on again, also in the hands of who stole the phone.
 */
const ENDED = `delete from driver_sessions as s using before, changed
  where s.account_id = $1 and s.phone = before.phone
    and not (changed.active and changed.phone = before.phone)
    and not exists (select from staff_couriers as c
      where c.account_id = $1 and c.phone = before.phone and c.active and c.courier_id <> $2)`

/** Adds the couriers of an account document. Couriers who are, or were, on the list stay unchanged. */
export async function seedStaffCouriers(
  db: PoolClient,
  accountId: string,
  couriers: readonly NewStaffCourier[],
): Promise<void> {
  if (couriers.length === 0) return
  await db.query(
    `insert into staff_couriers (account_id, courier_id, store_id, phone, driver_name, driver_id)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
     on conflict (account_id, store_id, phone) do nothing`,
    [
      accountId,
      couriers.map(({ courierId }) => courierId),
      couriers.map(({ storeId }) => storeId),
      couriers.map(({ phone }) => phone),
      couriers.map(({ driverName }) => driverName),
      couriers.map(({ driverId }) => driverId),
    ],
  )
}

/**
 * Stores a courier's position and the time, in each account by its own clock. An older position changes
 * nothing. A stored position from the future (a test clock was set back) is replaced.
 */
export async function placeStaffCourier(
  db: Db,
  phone: string,
  { accountIds, nowsMs }: AccountNows,
  position: { lat: number; lng: number; accuracyM: number | null; atMs: number | null },
): Promise<void> {
  await db.query({
    name: 'place-staff-courier',
    text: `update staff_couriers as s
      set lat = $4, lng = $5, accuracy_m = $6, located_at = seen.at,
        last_seen_at = case when s.last_seen_at > a.now then seen.at else greatest(s.last_seen_at, seen.at) end
      from unnest($2::text[], $3::timestamptz[]) as a(account_id, now)
      cross join lateral (select least($7::timestamptz, a.now) as at) as seen
      where s.account_id = a.account_id and s.phone = $1 and s.active
        and (s.located_at is null or s.located_at <= seen.at or s.located_at > a.now)`,
    values: [
      phone,
      accountIds,
      nowsMs.map(instant),
      position.lat,
      position.lng,
      position.accuracyM,
      position.atMs === null ? null : instant(position.atMs),
    ],
  })
}

/**
 * A courier's last position, and how many of the account's collected jobs are before this one, in the order of the
 * driver's list: only one job has 0. Null: no position.
 */
export async function findCourierPlace(
  db: Db,
  accountId: string,
  storeId: string,
  phone: string,
  job: { id: string; windowToMs: number | null },
): Promise<{ lat: number; lng: number; atMs: number; stopsBefore: number } | null> {
  const { rows } = await db.query<{ lat: number; lng: number; atMs: number; stopsBefore: number }>({
    name: 'find-courier-place',
    text: `select s.lat, s.lng, s.located_at as "atMs",
        (select count(*) from courier_offers as o join deliveries as d using (account_id, delivery_id)
          where o.account_id = $1 and o.phone = $3 and o.live and d.status = 'collected'
            and (coalesce(d.window_to, 'infinity'), d.delivery_id)
              < (coalesce($4::timestamptz, 'infinity'), $5)) as "stopsBefore"
      from staff_couriers as s
      where s.account_id = $1 and s.store_id = $2 and s.phone = $3 and s.active and s.located_at is not null`,
    values: [accountId, storeId, phone, job.windowToMs === null ? null : instant(job.windowToMs), job.id],
  })
  return rows[0] ?? null
}
