import type { Pool } from 'pg'
import type { AttemptState } from '../../domain/delivery/booking-attempt.ts'
import type { ChosenOption } from '../../domain/delivery/delivery.ts'
import { batchedWrites } from '../db/batching.ts'
import { type Db, instant } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'

type Attempt = {
  attempt: number
  key: string
  provider: string
  service: string
  carrierName: string
  /** The version of the delivery's content that was sent: after an amendment, an earlier refusal no longer applies. */
  contentVersion: number
  state: AttemptState
  message: string | null
  /** The carrier refused it once with an error that it doesn't document: what a second such refusal means. */
  ifRepeated: 'another_carrier' | 'later' | 'nobody' | null
  createdAtMs: number
  /** When its latest outcome was learnt; before that, when the intent was made. */
  answeredAtMs: number
  /** How long, from the moment of reading, a lookup may still miss a booking that was made. */
  settleInMs: number
  /** How long ago, in wall time, its key was first used. */
  keyAgeMs: number
  /** Set if it stands for attempts that a restored database has lost. */
  lostPeriod: LostPeriod | null
}

/**
 * The attempts that a restored database may have lost. Their numbers go from this attempt's to `lastAttempt`, and
 * each may be at the carrier of any of the alternatives.
 */
export type LostPeriod = {
  /** The moment that the database was restored to, in wall time. */
  momentMs: number
  lastAttempt: number
  /** When the delivery was due before the lookup made it due at once. Account time. */
  dueAtMs: number | null
  /** The delivery was on hold at the moment, for a reason of its own. */
  wasOnHold: boolean
  /**
   * A person may record that the attempt's carrier has no booking: every carrier with a lookup has answered, only this
   * carrier's answer is missing, or Drover has stopped asking.
   */
  isLookedUp: boolean
  /** In booking order, a promised option first. */
  alternatives: readonly Alternative[]
}

/** One service of a carrier that could have been booked. It has no personal data, unlike a whole request. */
export type Alternative = Pick<BookingIntent, 'provider' | 'service' | 'option'> & {
  /** What the carrier would charge; null: its own price was lost. */
  chargeCents: number | null
  /** Set if the customer's price is the carrier's charge plus this percentage. The charge is known once the booking is found. */
  markupPercent: number | null
}

/** A booking request for one delivery that we sent to a carrier, or were about to send. */
export type BookingIntent = Attempt & {
  /** The carrier request exactly as first sent: an idempotency key may only be sent again with the same content. */
  consignment: unknown
  option: IntendedOption
}

/** An attempt without its request: Drover will not ask the carrier about it again. */
export type ClosedIntent = Attempt & { consignment: null; option: null }
export type AnyIntent = BookingIntent | ClosedIntent

/**
 * The most attempts of a delivery that are looked up after a restore. Their numbers are reserved even if fewer are
 * looked up: a carrier may have a booking under each.
 */
export const MAX_LOST_ATTEMPTS = 20

/** The number of a delivery's latest attempt, counting those that a restored database may have lost. */
export function getLastAttempt(intents: readonly AnyIntent[]): number {
  const lastOf = ({ attempt, lostPeriod }: AnyIntent) =>
    lostPeriod ? Math.max(attempt + MAX_LOST_ATTEMPTS - 1, lostPeriod.lastAttempt) : attempt
  return Math.max(0, ...intents.map(lastOf))
}

export function hasRequest<T extends AnyIntent>(intent: T): intent is T & BookingIntent {
  return intent.option !== null
}

/** The delivery's fields if the carrier accepts. */
export type IntendedOption = ChosenOption & {
  deliveryType: string
  windowFromMs: number
  windowToMs: number
  accountVersion: number
  manifestStatus: 'pending' | 'not_required'
}

export type NewIntent = Pick<
  BookingIntent,
  'attempt' | 'key' | 'provider' | 'service' | 'consignment' | 'option'
> & {
  settleMs: number
  /** When the earlier attempts are looked up again at their carriers. Account time. */
  lookAgainAtMs: number
}

/** Whose intent it is: the holder of this fence, for this content. `nowMs` is account time. */
export type IntentTarget = {
  accountId: string
  deliveryId: string
  fence: number
  contentVersion: number
  nowMs: number
}

/**
 * Fencing token: commits the intent before the carrier is called, only for the holder of the delivery's current fence,
 * only while the delivery is still requested with this content, and only if no other intent is open. From then on the
 * earlier attempts are looked up again, except those that can no longer turn up. False: another process was faster, so
 * the caller must not call the carrier. First attempts of several deliveries share a statement.
 */
export async function openIntent(db: Pool, target: IntentTarget, intent: NewIntent): Promise<boolean> {
  const opening = { target, intent }
  const isShared = intent.attempt === 1 && engineOf(db) !== 'citus'
  return (await (isShared ? openTogether(db, opening) : openOne(db, opening))) !== null
}

type Opening = { target: IntentTarget; intent: NewIntent }

const openTogether = batchedWrites<Opening, true>({
  getShape: () => '',
  getRowKey: ({ target }) => `${target.accountId}\n${target.deliveryId}`,
  writeMany: openMany,
  writeOne: openOne,
})

async function openOne(db: Db, { target, intent }: Opening): Promise<true | null> {
  const isFirst = intent.attempt === 1
  const { rowCount } = await db.query({
    name: isFirst ? 'open-intent' : 'open-next-intent',
    text: `with held as (
        update deliveries set pending_attempt = $5, booking_attempts = booking_attempts + 1
        where account_id = $1 and delivery_id = $2 and fence = $3 and content_version = $4
          and status = 'requested' and pending_attempt is null
        returning delivery_id)${isFirst ? '' : SUPERSEDED}
      insert into booking_intents (account_id, delivery_id, attempt, key, provider, service, consignment, option,
        content_version, state, fence, created_at, settle_until)
      select $1, delivery_id, $5, $6, $7, $8, $9, $10, $4, 'sent', $3, $11, now() + $12 * interval '1 millisecond'
      from held`,
    values: [
      target.accountId,
      target.deliveryId,
      target.fence,
      target.contentVersion,
      intent.attempt,
      intent.key,
      intent.provider,
      intent.service,
      JSON.stringify(intent.consignment),
      JSON.stringify(intent.option),
      instant(target.nowMs),
      intent.settleMs,
      ...(isFirst ? [] : [instant(intent.lookAgainAtMs)]),
    ],
  })
  return rowCount === 1 ? true : null
}

async function openMany(db: Pool, openings: readonly Opening[]): Promise<(true | null)[]> {
  const column = (pick: (opening: Opening) => unknown) => openings.map(pick)
  const { rows } = await db.query<{ account_id: string; delivery_id: string }>({
    name: 'open-intents',
    text: OPEN_MANY,
    values: [
      column(({ target }) => target.accountId),
      column(({ target }) => target.deliveryId),
      column(({ target }) => target.fence),
      column(({ target }) => target.contentVersion),
      column(({ intent }) => intent.key),
      column(({ intent }) => intent.provider),
      column(({ intent }) => intent.service),
      column(({ intent }) => JSON.stringify(intent.consignment)),
      column(({ intent }) => JSON.stringify(intent.option)),
      column(({ target }) => instant(target.nowMs)),
      column(({ intent }) => intent.settleMs),
    ],
  })
  const opened = new Set(rows.map(({ account_id, delivery_id }) => `${account_id}\n${delivery_id}`))
  return openings.map(({ target }) => (opened.has(`${target.accountId}\n${target.deliveryId}`) ? true : null))
}

/** First attempts; rows that another transaction holds are passed over. */
const OPEN_MANY = `with given as (
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[], $7::text[],
      $8::json[], $9::json[], $10::timestamptz[], $11::float8[])
      as given(account_id, delivery_id, fence, content_version, key, provider, service, consignment, option, now, settle_ms)
  ), free as materialized (
    select g.* from given as g join deliveries as d
      on d.account_id = g.account_id and d.delivery_id = g.delivery_id and d.fence = g.fence
      and d.content_version = g.content_version and d.status = 'requested' and d.pending_attempt is null
    order by g.account_id, g.delivery_id for update of d skip locked
  ), held as (
    update deliveries as d set pending_attempt = 1, booking_attempts = booking_attempts + 1 from free as g
    where d.account_id = g.account_id and d.delivery_id = g.delivery_id and d.fence = g.fence
      and d.content_version = g.content_version and d.status = 'requested' and d.pending_attempt is null
    returning g.*
  )
  insert into booking_intents (account_id, delivery_id, attempt, key, provider, service, consignment, option,
    content_version, state, fence, created_at, settle_until)
  select account_id, delivery_id, 1, key, provider, service, consignment, option,
    content_version, 'sent', fence, now, now() + settle_ms * interval '1 millisecond' from held
  returning account_id, delivery_id`

/** Locks the delivery before its attempts, in the same order as code that ends an attempt. */
const SUPERSEDED = `, superseded as (
        update booking_intents as i set abandoned_at = $11, due_at = $13
        from held cross join lateral (
          select attempt from booking_intents
          where account_id = $1 and delivery_id = held.delivery_id and attempt < $5
            and state in ('void', 'rejected') and may_still_appear and abandoned_at is null
          order by attempt for update) as earlier
        where i.account_id = $1 and i.delivery_id = held.delivery_id and i.attempt = earlier.attempt)`

/**
 * Drops the request of an attempt, three quarters of its row (1.7 kB), when nothing reads it any more. What remains are
 * the fields of such attempts that the previous release reads, because it may still run during an upgrade.
 */
export const DROP_REQUEST = `consignment = '{"deliveryId":"","parcels":[]}', option = ${onlyCarrierName('option')}`

/** As `json_build_object` would: that is stable, and Citus lets an update call only immutable functions with columns. */
function onlyCarrierName(option: string): string {
  return `('{"carrierName":' || coalesce((${option}->'carrierName')::text, 'null') || '}')::json`
}

const HAS_REQUEST = `i.option->'provider' is not null`

/** The columns of `booking_intents as i`, an `AnyIntent`. */
export const INTENT_COLUMNS = `i.attempt, i.key, i.provider, i.service, i.option->>'carrierName' as "carrierName",
  case when ${HAS_REQUEST} then i.consignment end as consignment, case when ${HAS_REQUEST} then i.option end as option,
  i.content_version as "contentVersion",
  i.state, i.carrier_message as message, i.refusal_if_repeated as "ifRepeated", i.created_at as "createdAtMs", coalesce(i.answered_at, i.created_at) as "answeredAtMs",
  greatest(0, extract(epoch from i.settle_until - now()) * 1000)::float8 as "settleInMs",
  (extract(epoch from now() - i.requested_at) * 1000)::float8 as "keyAgeMs", i.lost_period as "lostPeriod"`

/** All attempts of a delivery, first to last. */
export async function listIntents(db: Db, accountId: string, deliveryId: string): Promise<AnyIntent[]> {
  const { rows } = await db.query<AnyIntent>({
    name: 'list-intents',
    text: `select ${INTENT_COLUMNS} from booking_intents as i where account_id = $1 and delivery_id = $2 order by attempt`,
    values: [accountId, deliveryId],
  })
  return rows
}

/** An attempt that a carrier names. `isAwaited`: its outcome is awaited, and no process is calling the carrier now. */
export type NamedIntent = AnyIntent & { deliveryId: string; isAwaited: boolean }

/** The attempt with this key at this carrier, or null. */
export async function findIntentByKey(
  db: Db,
  accountId: string,
  provider: string,
  key: string,
): Promise<NamedIntent | null> {
  const { rows } = await db.query<NamedIntent>({
    name: 'find-intent-by-key',
    text: `select i.delivery_id as "deliveryId", ${INTENT_COLUMNS},
             coalesce(d.pending_attempt = i.attempt, false)
               and (i.state = 'unknown' or d.lease_until is null or d.lease_until < now()) as "isAwaited"
           from booking_intents as i join deliveries as d using (account_id, delivery_id)
           where i.account_id = $1 and i.key = $3 and i.provider = $2`,
    values: [accountId, provider, key],
  })
  return rows[0] ?? null
}

/**
 * Marks an attempt whose worker died as unknown and restarts its settling time: the dead worker may have called the
 * carrier at the very end of its lease.
 */
export async function markIntentUnknown(
  db: Db,
  delivery: { accountId: string; deliveryId: string },
  attempt: number,
  settleMs: number,
): Promise<void> {
  await db.query({
    name: 'doubt-intent',
    text: `update booking_intents set state = 'unknown', carrier_message = 'The process that sent the request stopped before the carrier answered.',
             settle_until = now() + $4 * interval '1 millisecond'
           where account_id = $1 and delivery_id = $2 and attempt = $3 and state = 'sent'`,
    values: [delivery.accountId, delivery.deliveryId, attempt, settleMs],
  })
}

/** Whether a booking at this carrier has no known answer. */
export async function isAnyBookingUnanswered(db: Db, accountId: string, provider: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-any-booking-unanswered',
    text: `select from booking_intents
           where account_id = $1 and provider = $2 and state in ('sent', 'unknown') limit 1`,
    values: [accountId, provider],
  })
  return rowCount === 1
}
