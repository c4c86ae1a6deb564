import type { PoolClient } from 'pg'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { type Db, instant } from '../db/db.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from '../deliveries/delivery-rows.ts'

export type NewOffer = {
  accountId: string
  deliveryId: string
  offer: number
  storeId: string
  phone: string
  driverName: string
  driverId: string | null
  tokenHash: Buffer
  offeredAtMs: number
  expiresAtMs: number
  /** For a driver who is not on the store's list, or was removed; null: the driver must be on it. */
  courierId: string | null
  eventId: string
  /** The SMS to the driver; `{link}` is the address's placeholder until it is sent. */
  message: { id: string; body: string; notAfterMs: number }
}

export type OfferOutcome = 'accepted' | 'refused' | 'expired' | 'withdrawn' | 'given_back'

/** A delivery as its driver has it: the row, and the offer it came by. */
export type DriverJobRow = DeliveryRow & {
  offer: number
  outcome: OfferOutcome | null
  offered_at: number
  expires_at: number
  pin_attempts: number
}

export type EndedJobRow = Pick<DeliveryRow, 'account_id' | 'delivery_id' | 'reference' | 'status'> &
  Pick<DriverJobRow, 'outcome'>

/** How often this delivery was offered so far. Inside the transaction that has its row. */
export async function countOffers(db: Db, accountId: string, deliveryId: string): Promise<number> {
  const { rows } = await db.query<{ offers: number }>({
    name: 'count-courier-offers',
    text: 'select count(*) as offers from courier_offers where account_id = $1 and delivery_id = $2',
    values: [accountId, deliveryId],
  })
  return rows[0]?.offers ?? 0
}

/**
 * Offers a delivery to its courier, in one statement: the offer, the driver on the store's list, the event and
 * the SMS. Belongs into the transaction that wrote the delivery; an older offer must have been ended in it.
 * False: the store has switched the driver off, or has none and none may be added; the transaction must not be
 * committed.
 */
export async function insertOffer(db: Db, offer: NewOffer): Promise<boolean> {
  const { rows } = await db.query<{ active: boolean }>({
    name: 'insert-courier-offer',
    text: `with offered as (
        insert into courier_offers (account_id, delivery_id, offer, phone, driver_name, token_hash, offered_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
      ), listed as (
        insert into staff_couriers as s (account_id, courier_id, store_id, phone, driver_name, driver_id)
        select $1, $9::text, $10, $4, $5, $11 where $9 is not null
        on conflict (account_id, store_id, phone) do update
        -- Whom a store gives work comes back to its list; whom it switched off stays off.
        set removed_at = null, active = s.active or s.removed_at is not null,
          driver_name = case when s.removed_at is null then s.driver_name else excluded.driver_name end,
          driver_id = coalesce(s.driver_id, excluded.driver_id)
        returning courier_id, active
      ), known as (
        select courier_id, active from listed
        union all
        select courier_id, active from staff_couriers
        where $9 is null and account_id = $1 and store_id = $10 and phone = $4 and removed_at is null
      ), recorded_events as (
        insert into events (account_id, stream, reference, event_id, type, at, source, detail, data)
        select $1, $2, d.reference, $12, 'staff_courier.assigned', $7, 'api', $5,
          json_build_object('staff_courier_id', known.courier_id)
        from deliveries as d cross join known where d.account_id = $1 and d.delivery_id = $2
      ), texted as (
      insert into messages (account_id, message_id, kind, recipient, template, store_id, delivery_id, body, status,
        created_at, expires_at, due_at, traceparent)
      values ($1, $13, 'sms', $4, 'driver_offer', $10, $2, $14, 'queued', $7, $15, $7, $16))
      select active from known`,
    values: [
      offer.accountId,
      offer.deliveryId,
      offer.offer,
      offer.phone,
      offer.driverName,
      offer.tokenHash,
      instant(offer.offeredAtMs),
      instant(offer.expiresAtMs),
      offer.courierId,
      offer.storeId,
      offer.driverId,
      offer.eventId,
      offer.message.id,
      offer.message.body,
      instant(offer.message.notAfterMs),
      currentTraceparent(),
    ],
  })
  return rows[0]?.active ?? false
}

/** Notes how the delivery's live offer ended, or that it was accepted (then it goes on). */
export async function answerOffer(
  db: Db,
  { account_id, delivery_id }: Pick<DeliveryRow, 'account_id' | 'delivery_id'>,
  answer: { outcome: OfferOutcome | null; reason: string | null; live: boolean; atMs: number },
): Promise<void> {
  await db.query({
    name: 'answer-courier-offer',
    text: `update courier_offers
      set outcome = coalesce($3, outcome), reason = coalesce($4, reason), live = $5,
        ended_at = case when $5 then ended_at else $6::timestamptz end
      where account_id = $1 and delivery_id = $2 and live`,
    values: [account_id, delivery_id, answer.outcome, answer.reason, answer.live, instant(answer.atMs)],
  })
}

/** Moves a driver's live offer to their new phone number. */
export async function handOffer(
  db: Db,
  { account_id, delivery_id }: Pick<DeliveryRow, 'account_id' | 'delivery_id'>,
  phone: string,
): Promise<void> {
  await db.query({
    name: 'hand-courier-offer',
    text: 'update courier_offers set phone = $3 where account_id = $1 and delivery_id = $2 and live',
    values: [account_id, delivery_id, phone],
  })
}

/** Queues an SMS to the driver of a delivery, in the transaction of the change that it reports. */
export async function queueDriverNote(
  db: Db,
  row: Pick<DeliveryRow, 'account_id' | 'delivery_id' | 'store_id' | 'content'>,
  message: { id: string; body: string; atMs: number; notAfterMs: number },
): Promise<void> {
  await db.query({
    name: 'queue-driver-note',
    text: `insert into messages (account_id, message_id, kind, recipient, template, store_id, delivery_id, body, status,
        created_at, expires_at, due_at, traceparent)
      values ($1, $2, 'sms', $3, 'driver_note', $4, $5, $6, 'queued', $7, $8, $7, $9)`,
    values: [
      row.account_id,
      message.id,
      row.content.staffCourier?.phone ?? '',
      row.store_id,
      row.delivery_id,
      message.body,
      instant(message.atMs),
      instant(message.notAfterMs),
      currentTraceparent(),
    ],
  })
}

const JOB = `${DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')},
  o.offer, o.outcome, o.offered_at, o.expires_at, o.pin_attempts`

const OPEN = "('requested', 'booked', 'assigned', 'approaching', 'collected', 'pending_return')"

const JOBS = `from courier_offers as o
  join deliveries as d using (account_id, delivery_id)
  where o.account_id = any($1) and o.phone = $2 and o.live
    -- The delivery says whose it is; its store must still have the driver.
    and d.content->'staffCourier'->>'phone' = $2
    and d.status in ${OPEN}
    and exists (select from staff_couriers as s
      where s.account_id = o.account_id and s.store_id = d.store_id and s.phone = $2 and s.active)`

/** A job by its delivery's id, or by the token of the link that offered it. */
export type JobName = { deliveryId: string } | { tokenHash: Buffer }

export type DriverKey = { accountIds: readonly string[]; phone: string }

/** What the driver has to do or to answer, by when it is to be there. */
export async function listDriverJobs(
  db: Db,
  { accountIds, phone }: DriverKey,
  limit: number,
): Promise<DriverJobRow[]> {
  const { rows } = await db.query<DriverJobRow>({
    name: 'list-driver-jobs',
    text: `select ${JOB} ${JOBS} order by d.window_to nulls last, d.delivery_id limit $3`,
    values: [accountIds, phone, limit],
  })
  return rows
}

/** All that is with one courier of a store, locked until the transaction ends. */
export async function lockDriverJobs(
  db: PoolClient,
  accountId: string,
  storeId: string,
  phone: string,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'lock-jobs-of-courier',
    text: `select ${DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')}
      from courier_offers as o join deliveries as d using (account_id, delivery_id)
      where o.account_id = $1 and o.phone = $3 and o.live and d.store_id = $2
        and d.content->'staffCourier'->>'phone' = $3 and d.status in ${OPEN}
      order by d.delivery_id for update of d`,
    values: [accountId, storeId, phone],
  })
  return rows
}

/** One of them. */
export async function findDriverJob(
  db: Db,
  { accountIds, phone }: DriverKey,
  name: JobName,
): Promise<DriverJobRow | null> {
  const byId = 'deliveryId' in name
  const { rows } = await db.query<DriverJobRow>({
    name: byId ? 'find-driver-job' : 'find-driver-job-by-link',
    text: `select ${JOB} ${JOBS} and ${byId ? 'o.delivery_id' : 'o.token_hash'} = $3`,
    values: [accountIds, phone, byId ? name.deliveryId : name.tokenHash],
  })
  return rows[0] ?? null
}

/** How the driver's newest offer of a job ended, and the delivery now; null: it has not ended, or was never theirs. */
export async function findEndedJob(
  db: Db,
  { accountIds, phone }: DriverKey,
  name: JobName,
): Promise<EndedJobRow | null> {
  const byId = 'deliveryId' in name
  const { rows } = await db.query<EndedJobRow>({
    name: byId ? 'find-ended-job' : 'find-ended-job-by-link',
    text: `select account_id, delivery_id, reference, status, outcome from (
        select account_id, delivery_id, outcome, live from courier_offers
        where account_id = any($1) and phone = $2 and ${byId ? 'delivery_id' : 'token_hash'} = $3
        order by offer desc limit 1) as newest
      join deliveries using (account_id, delivery_id) where not live`,
    values: [accountIds, phone, byId ? name.deliveryId : name.tokenHash],
  })
  return rows[0] ?? null
}

/** Counts a try of the PIN before it is looked at. Null: there were too many. */
export async function countPinAttempt(db: Db, row: DriverJobRow, max: number): Promise<number | null> {
  const { rows } = await db.query<{ pin_attempts: number }>({
    name: 'count-pin-try',
    text: `update courier_offers set pin_attempts = pin_attempts + 1
      where account_id = $1 and delivery_id = $2 and offer = $3 and pin_attempts < $4 returning pin_attempts`,
    values: [row.account_id, row.delivery_id, row.offer, max],
  })
  return rows[0]?.pin_attempts ?? null
}
