import { type Db, instant } from '../db/db.ts'
import { idAt } from '../db/id-times.ts'
import type { BookingIntent, LostPeriod } from '../deliveries/booking-intents.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from '../deliveries/delivery-rows.ts'

/** Processes of one installation may have clocks that differ by this much. */
const CLOCK_SKEW_MS = 60_000

const COLUMNS = DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')

/**
 * An account's deliveries in these statuses, by id, that were created before the moment and are not for the store's own
 * couriers. Leaves out those that already have an attempt for this lost period.
 */
export async function listLostPeriodDeliveries(
  db: Db,
  accountId: string,
  {
    momentMs,
    statuses,
    after,
    limit,
  }: { momentMs: number; statuses: readonly string[]; after: string; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'list-lost-period-deliveries',
    text: `select ${COLUMNS} from deliveries as d
      where d.account_id = $1 and d.delivery_id > $2 and d.delivery_id < $3 and d.status = any($4)
        and d.content->>'staffCourier' is null
        and not exists (select from booking_intents as i
          where i.account_id = d.account_id and i.delivery_id = d.delivery_id and (i.lost_period->>'momentMs')::float8 = $5)
      order by d.delivery_id limit $6`,
    values: [accountId, after, idAt('dlv', momentMs + CLOCK_SKEW_MS), statuses, momentMs, limit],
  })
  return rows
}

/** An attempt that stands for those of the lost period. Instants of account time, except those of `lostPeriod`. */
export type LostAttempt = Pick<
  BookingIntent,
  'attempt' | 'key' | 'provider' | 'service' | 'consignment' | 'option' | 'message'
> & { lostPeriod: LostPeriod; momentMs: number; nowMs: number; settleMs: number }

/**
 * Opens the attempt with an unknown outcome, and makes its delivery due. An attempt that was open at the moment covers
 * the lost period too. False: the delivery has changed since it was read.
 */
export async function openLostAttempt(
  db: Db,
  { account_id, delivery_id, status, fence, pending_attempt, content_version }: DeliveryRow,
  lost: LostAttempt,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'open-lost-attempt',
    text: `with held as (
        update deliveries set pending_attempt = $6, due_at = case when dead_lettered_at is null then $7::timestamptz end,
          lease_until = null, claims = 0
        where account_id = $1 and delivery_id = $2 and status = $3 and fence = $4 and pending_attempt is not distinct from $5
        returning delivery_id)
      insert into booking_intents as i (account_id, delivery_id, attempt, key, provider, service, consignment, option,
        content_version, state, carrier_message, fence, created_at, requested_at, settle_until, lost_period)
      select $1, delivery_id, $6, $8, $9, $10, $11, $12, $13, 'unknown', $14, $4, $15, $16,
        now() + $17 * interval '1 millisecond', $18
      from held
      on conflict (account_id, delivery_id, attempt) do update
      set state = 'unknown', answered_at = excluded.created_at, settle_until = excluded.settle_until,
        lost_period = excluded.lost_period
      where i.state in ('sent', 'unknown')`,
    values: [
      account_id,
      delivery_id,
      status,
      fence,
      pending_attempt,
      lost.attempt,
      instant(lost.nowMs),
      lost.key,
      lost.provider,
      lost.service,
      JSON.stringify(lost.consignment),
      JSON.stringify(lost.option),
      content_version,
      lost.message,
      instant(lost.momentMs),
      instant(lost.lostPeriod.momentMs),
      lost.settleMs,
      JSON.stringify(lost.lostPeriod),
    ],
  })
  return rowCount === 1
}

/** The open attempt is now this carrier's, under this key. `isLookedUp`: as in `LostPeriod`, and never unset. */
export async function adoptAlternative(
  db: Db,
  { accountId, deliveryId }: { accountId: string; deliveryId: string },
  { attempt, key, provider, service, consignment, option }: BookingIntent,
  isLookedUp: boolean,
): Promise<void> {
  await db.query({
    name: 'adopt-alternative',
    text: `update booking_intents set key = $4, provider = $5, service = $6, consignment = $7, option = $8,
        lost_period = case when $9 then (lost_period::jsonb || '{"isLookedUp": true}')::json else lost_period end
      where account_id = $1 and delivery_id = $2 and attempt = $3 and state = 'unknown'`,
    values: [
      accountId,
      deliveryId,
      attempt,
      key,
      provider,
      service,
      JSON.stringify(consignment),
      JSON.stringify(option),
      isLookedUp,
    ],
  })
}

/**
 * The next event of each account is placed beyond any cursor of the lost period: readers who hold one would miss new
 * events until their account passed it.
 */
export async function moveFeedBeyondCursors(db: Db): Promise<void> {
  await db.query({
    name: 'move-feed-beyond-cursors',
    text: `update event_sequences set last_feed_position = last_feed_position + $1`,
    values: [LOST_POSITIONS],
  })
}

/** More events than any account has in the years that a backup is kept. */
const LOST_POSITIONS = 1_000_000_000

/** The names of the other Drover processes that are connected to this database. */
export async function listConnectedProcesses(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'list-connected-processes',
    text: `select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name like 'drover %'
        and application_name not in ('drover doctor', 'drover migrate', current_setting('application_name'))
      order by name`,
  })
  return rows.map(({ name }) => name)
}
