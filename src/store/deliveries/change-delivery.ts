import { type AttemptOutcome, statesBefore } from '../../domain/delivery/booking-attempt.ts'
import type {
  Article,
  ChosenOption,
  DeliveryContent,
  ManifestStatus,
} from '../../domain/delivery/delivery.ts'
import { isFinal, type Status } from '../../domain/delivery/status.ts'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { type Db, instant } from '../db/db.ts'
import type { BookingIntent } from './booking-intents.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery-rows.ts'
import { NOT_DEAD_LETTERED, REASON_WITHOUT_DEAD_LETTER } from './due-deliveries.ts'
import { enqueueNotifications } from './enqueue-notifications.ts'
import type { NewEvent } from './events.ts'
import { changedSearchKey } from './search-deliveries.ts'

/** The fields that a change may set. Absent: unchanged. Instants are epoch milliseconds. */
export type DeliveryPatch = {
  status?: Status
  sub_status?: string | null
  status_reason?: string | null
  reference?: string
  /** Increments the content version: decisions for the old content no longer apply. */
  content?: DeliveryContent
  ready_for_pickup_at?: number
  delivery_type?: string
  chosen?: ChosenOption | null
  /** JSON text. */
  decision?: string
  decided_at?: number
  window_from?: number | null
  window_to?: number | null
  carrier_provider?: string | null
  consignment_number?: string | null
  carrier_ref?: string | null
  articles?: readonly Article[]
  manifest_status?: ManifestStatus
  /** Takes the delivery off its manifest, if it is on one; the manifest keeps a snapshot of the booking. */
  manifest_id?: null
  account_version?: number
  booked_at?: number | null
  requested_at?: number
  carrier_event_at?: number | null
  booking_attempts?: number
  pending_attempt?: number | null
  refusals_valid_from_attempt?: number
  cancel_requested_at?: number | null
  cancel_reason?: string | null
  replan_requested?: boolean
  excluded_providers?: readonly string[]
  attention?: string | null
  due_at?: number | null
}

/** Optimistic lock: the change applies only while the row still matches. */
export type DeliveryGuard = {
  statuses: readonly Status[]
  /** Fencing token: the claim's number; a worker that lost its lease no longer matches. */
  fence?: number
  /** Refuse while an attempt is open, because a carrier may have the booking. */
  noOpenAttempt?: boolean
  /** Only while this attempt's outcome is awaited: then any process may store it. */
  openAttempt?: number
  contentVersion?: number
  /** Only while this cancellation request is pending; null: while there is no such request. */
  cancelRequestedAtMs?: number | null
  /** Only while the delivery has this booking and no later one. */
  consignmentNumber?: string
  /** Refuse while the delivery is on a manifest. */
  onNoManifest?: boolean
}

/** How an intent ends together with the delivery's change. */
export type IntentEnd = {
  attempt: number
  state: AttemptOutcome
  message: string | null
  /** A lookup is not trusted until this long from now; absent: the settling time is unchanged. */
  settleMs?: number
  /**
   * When its carrier is queried again because the booking may turn up (account time); null: it cannot turn up; absent:
   * as soon as another attempt follows.
   */
  lookAgainAtMs?: number | null
  /** The carrier refused it with an error that it doesn't document: what a second such refusal means. */
  ifRepeated?: BookingIntent['ifRepeated'] | undefined
}

export type ChangeTarget = {
  accountId: string
  deliveryId: string
  nowMs: number
  guard: DeliveryGuard
  /**
   * The current lease holder keeps the delivery. Otherwise the change ends the lease and, unless the holder makes the
   * change itself (`fence` in its guard), increments the fence: the holder's later writes no longer match.
   */
  keepLease?: boolean
}

const COLUMNS = DELIVERY_COLUMNS.join(', ')

/** Statement variants differ in the fields that are set, the guard, the intent and the events. */
const named = preparedWhenOften('change-delivery')

const JSON_COLUMNS = new Set(['content', 'chosen', 'articles', 'decision'])
const INSTANT_COLUMNS = new Set([
  'ready_for_pickup_at',
  'decided_at',
  'window_from',
  'window_to',
  'booked_at',
  'requested_at',
  'carrier_event_at',
  'cancel_requested_at',
  'due_at',
])

/**
 * Optimistic lock: changes a delivery, ends an intent, writes the events and enqueues the notifications of customers,
 * in one statement. Null if the guard no longer matched: then no row was written.
 */
export async function changeDelivery(
  db: Db,
  target: ChangeTarget,
  patch: DeliveryPatch,
  events: readonly NewEvent[] = [],
  intent: IntentEnd | null = null,
): Promise<DeliveryRow | null> {
  const values: unknown[] = [
    target.accountId,
    target.deliveryId,
    instant(target.nowMs),
    target.guard.statuses,
  ]
  const bind = (value: unknown): string => `$${values.push(value)}`

  const sets = Object.entries(patch).map(([column, value]) => {
    const bound = bind(encode(column, value))
    return `${column} = ${column === 'booked_at' ? notBeforeRequested(bound) : bound}`
  })
  // Deferred work keeps the trace of the request that deferred it.
  const traceparent = currentTraceparent()
  if (patch.due_at && traceparent !== null) sets.push(`traceparent = ${bind(traceparent)}`)
  // A change that sets the next due time also requeues a dead-lettered row.
  if (patch.due_at !== undefined || (patch.status && isFinal(patch.status))) {
    sets.push(NOT_DEAD_LETTERED)
    if (patch.status_reason === undefined) sets.push(REASON_WITHOUT_DEAD_LETTER)
  }
  if (patch.content) sets.push('content_version = content_version + 1')
  const searchKey = changedSearchKey(patch, bind)
  if (searchKey) sets.push(`search_key = ${searchKey}`)
  if (!target.keepLease) sets.push('lease_until = null', 'claims = 0')
  if (!target.keepLease && target.guard.fence === undefined) sets.push('fence = fence + 1')
  const { fence, noOpenAttempt, openAttempt, contentVersion, consignmentNumber, onNoManifest } = target.guard
  const { cancelRequestedAtMs } = target.guard
  const guards = [
    fence === undefined ? null : `fence = ${bind(fence)}`,
    noOpenAttempt ? 'pending_attempt is null' : null,
    openAttempt === undefined ? null : `pending_attempt = ${bind(openAttempt)}`,
    contentVersion === undefined ? null : `content_version = ${bind(contentVersion)}`,
    cancelRequestedAtMs === undefined ? null : sameInstant('cancel_requested_at', cancelRequestedAtMs, bind),
    consignmentNumber === undefined ? null : `consignment_number = ${bind(consignmentNumber)}`,
    onNoManifest ? 'manifest_id is null' : null,
  ].filter((guard) => guard !== null)

  const intentCte = intent
    ? `, ended as (
         update booking_intents set state = ${bind(intent.state)}, carrier_message = ${bind(intent.message)}, answered_at = $3,
           settle_until = greatest(settle_until, now() + ${bind(intent.settleMs ?? 0)} * interval '1 millisecond')
           ${lookAgain(intent, bind)}${intent.ifRepeated ? `, refusal_if_repeated = ${bind(intent.ifRepeated)}` : ''}
         where account_id = $1 and delivery_id = $2 and attempt = ${bind(intent.attempt)}
           and state = any(${bind(statesBefore(intent.state))}) and exists (select from changed))`
    : ''
  const leaves = patch.manifest_id !== undefined
  if (leaves) guards.push('exists (select from stood)')
  const stoodCte = leaves ? `${STOOD}, ` : ''
  const freedCte = leaves ? FREED : ''
  const eventsCte = events.length > 0 ? `, recorded_events as (${insertEvents(events, bind)})` : ''
  const messagesCte = enqueueNotifications(events, target.nowMs, bind)

  const text = `with ${stoodCte}changed as (
      update deliveries set ${['updated_at = $3', ...sets].join(', ')}
      where ${['account_id = $1', 'delivery_id = $2', 'status = any($4)', ...guards].join(' and ')}
      returning ${COLUMNS}
    )${intentCte}${freedCte}${eventsCte}${messagesCte} select ${COLUMNS} from changed`
  const { rows } = await db.query<DeliveryRow>({ ...named(text), text, values })
  return rows[0] ?? null
}

/**
 * The fields that the carrier's order keeps naming, with parcels but no free text: this outlives their erasure. Locks
 * the row before the change, so a statement that waits for another change reads the row as that change left it.
 */
const STOOD = `stood as (
      select json_build_object(
        'consignmentNumber', consignment_number, 'carrierRef', carrier_ref, 'articles', articles,
        'costCents', chosen->'costCents', 'accountVersion', account_version, 'parcels', (
          select json_agg(json_build_object('quantity', p->'quantity', 'weightKg', p->'weightKg',
            'dangerousGoods', p->'dangerousGoods'))
          from json_array_elements(content->'parcels') as p)) as snapshot
      from deliveries where account_id = $1 and delivery_id = $2 for update)`

const FREED = `, freed as (
      update manifest_deliveries as m set held = false, consigned_snapshot = stood.snapshot
      from stood
      where m.account_id = $1 and m.delivery_id = $2 and m.held and exists (select from changed))`

function lookAgain({ lookAgainAtMs }: IntentEnd, bind: (value: unknown) => string): string {
  if (lookAgainAtMs === undefined) return ''
  if (lookAgainAtMs === null) return ', may_still_appear = false, due_at = null'
  return `, abandoned_at = $3, due_at = ${bind(instant(lookAgainAtMs))}`
}

/**
 * Two processes may read their clocks in a different order than they write: a delivery is never booked before it is
 * requested.
 */
function notBeforeRequested(bookedAt: string): string {
  return `case when ${bookedAt}::timestamptz is not null then greatest(${bookedAt}::timestamptz, requested_at) end`
}

function sameInstant(column: string, atMs: number | null, bind: (value: unknown) => string): string {
  return atMs === null ? `${column} is null` : `${column} = ${bind(instant(atMs))}`
}

function insertEvents(events: readonly NewEvent[], bind: (value: unknown) => string): string {
  const column = (pick: (event: NewEvent) => unknown): string => bind(events.map(pick))
  return `insert into events (account_id, stream, reference, event_id, type, at, source, from_status, to_status, sub_status, consignment_number, detail, data, traceparent)
    select $1, $2, changed.reference, e.event_id, e.type, e.at, e.source, e.from_status, e.to_status, e.sub_status, e.consignment_number, e.detail,
      e.data, ${bind(currentTraceparent())}::text
    from unnest(${column((e) => e.eventId)}::text[], ${column((e) => e.type)}::text[], ${column((e) => instant(e.atMs))}::timestamptz[],
      ${column((e) => e.source)}::text[], ${column((e) => e.from)}::text[], ${column((e) => e.to)}::text[],
      ${column((e) => e.subStatus)}::text[], ${column((e) => e.consignmentNumber)}::text[], ${column((e) => e.detail)}::text[],
      ${column((e) => (e.data ? JSON.stringify(e.data) : null))}::json[])
      with ordinality as e(event_id, type, at, source, from_status, to_status, sub_status, consignment_number, detail, data, place)
    cross join changed order by e.place`
}

function encode(column: string, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (INSTANT_COLUMNS.has(column)) return instant(value as number)
  if (JSON_COLUMNS.has(column)) return typeof value === 'string' ? value : JSON.stringify(value)
  return value
}

/**
 * Uses after which a statement variant is prepared. Planning a change of a delivery takes 1.1 ms of the database's CPU
 * time, each time; prepared, it takes 0.1 ms, plus 0.3 MB in every connection that has sent it, which is too much for
 * rare variants.
 */
const OFTEN = 20

/**
 * For a statement with generated text: the name to prepare this text under once it has been used often, as
 * `family/number`, and no name before. There must be finitely many texts, with every value bound.
 */
export function preparedWhenOften(family: string): (text: string) => { name?: string } {
  const uses = new Map<string, { count: number; name: string }>()
  return (text) => {
    const known = uses.get(text)
    if (!known) {
      uses.set(text, { count: 1, name: `${family}/${uses.size + 1}` })
      return {}
    }
    known.count += 1
    return known.count > OFTEN ? { name: known.name } : {}
  }
}
