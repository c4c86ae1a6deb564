import { statesBefore } from '../../domain/delivery/booking-attempt.ts'
import { isFinal } from '../../domain/delivery/status.ts'
import type { TrackingUpdate } from '../../domain/delivery/tracking-updates.ts'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { instant } from '../db/db.ts'
import {
  enqueueNotifications,
  type NewNotification,
  toNotifications,
} from '../messages/enqueue-notifications.ts'
import { DROP_REQUEST } from './booking-intents.ts'
import type { ChangeTarget, DeliveryChange, DeliveryPatch, IntentEnd } from './delivery-change.ts'
import { DELIVERY_COLUMNS } from './delivery-rows.ts'
import { NOT_DEAD_LETTERED, REASON_WITHOUT_DEAD_LETTER } from './due-deliveries.ts'
import type { NewEvent } from './events.ts'
import { changedSearchKey } from './search-deliveries.ts'

/** A change as SQL and values. Changes with the same `shape` differ in their values only. */
export type ChangeStatement = {
  shape: string
  parts: Parts
  values: readonly TypedValue[]
  events: readonly NewEvent[]
  notifications: readonly NewNotification[]
  updates: readonly TrackingUpdate[]
  traceparent: string | null
}

type TypedValue = { value: unknown; type: string }
/** The SQL that depends on the shape. Its values are `g.v1`, `g.v2` and so on. */
type Parts = {
  sets: readonly string[]
  guards: readonly string[]
  /** How the intent ends: what is set, and which row. */
  intent: { sets: string; where: string } | null
  leavesManifest: boolean
}

/** The PostgreSQL type that each field of a patch is bound as. */
const PATCH_TYPES: Record<keyof DeliveryPatch, string> = {
  status: 'text',
  sub_status: 'text',
  status_reason: 'text',
  reference: 'text',
  content: 'json',
  ready_for_pickup_at: 'timestamptz',
  delivery_type: 'text',
  chosen: 'json',
  decision: 'json',
  decided_at: 'timestamptz',
  window_from: 'timestamptz',
  window_to: 'timestamptz',
  carrier_provider: 'text',
  consignment_number: 'text',
  carrier_ref: 'text',
  articles: 'json',
  manifest_status: 'text',
  manifest_id: 'text',
  account_version: 'integer',
  booked_at: 'timestamptz',
  requested_at: 'timestamptz',
  carrier_event_at: 'timestamptz',
  booking_attempts: 'integer',
  pending_attempt: 'integer',
  refusals_valid_from_attempt: 'integer',
  cancel_requested_at: 'timestamptz',
  cancel_reason: 'text',
  replan_requested: 'boolean',
  excluded_providers: 'json',
  attention: 'text',
  due_at: 'timestamptz',
}

const COLUMNS = DELIVERY_COLUMNS.join(', ')
const [ACCOUNT, DELIVERY, NOW] = ['g.v1', 'g.v2', 'g.v3']
const KEY = `account_id = ${ACCOUNT} and delivery_id = ${DELIVERY}`

export function toChangeStatement(change: DeliveryChange): ChangeStatement {
  const { target, patch, events = [], intent = null, updates = [] } = change
  const values: TypedValue[] = []
  const bind = (value: unknown, type = 'text'): string => `g.v${values.push({ value, type })}`
  bind(target.accountId)
  bind(target.deliveryId)
  bind(instant(target.nowMs), 'timestamptz')
  const traceparent = currentTraceparent()
  const parts: Parts = {
    guards: getGuards(target, patch, bind),
    sets: getSets(target, patch, traceparent, bind),
    intent: intent && endIntent(intent, bind),
    leavesManifest: patch.manifest_id !== undefined,
  }
  const shape = JSON.stringify(parts)
  return {
    ...{ shape, parts, values, events, updates, traceparent },
    notifications: toNotifications(events, target.nowMs),
  }
}

/** The statement of one change, which waits for the row's lock. */
export function changeOneSql(change: ChangeStatement): { text: string; values: unknown[] } {
  const { parts, values } = change
  const given = values.map(({ value }) => value)
  const text = `with ${parts.leavesManifest ? `${STOOD}, ` : ''}changed as (
      update deliveries set ${parts.sets.join(', ')} where ${parts.guards.join(' and ')}
      returning ${COLUMNS}, 1 as n, ${NOW}::timestamptz as changed_at
    )${
      parts.intent
        ? `, ended as (
      update booking_intents set ${parts.intent.sets} where ${parts.intent.where} and exists (select from changed))`
        : ''
    }${parts.leavesManifest ? FREED : ''}${sides([change], given, [ACCOUNT, DELIVERY])}
    select ${COLUMNS} from changed`
  return { text: text.replaceAll(/\bg\.v(\d+)\b/g, (_, number) => `$${number}`), values: given }
}

/**
 * The statement of several changes of one shape. It skips deliveries that other transactions have locked, so it waits for
 * none of them. `n` is the number of a change, from 1.
 */
export function changeManySql(changes: readonly ChangeStatement[]): { text: string; values: unknown[] } {
  const [{ parts, values: types }] = changes as [ChangeStatement]
  const given: unknown[] = types.map((_, index) => changes.map(({ values }) => values[index]?.value))
  const arrays = types.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')
  const names = types.map((_, index) => `v${index + 1}`).join(', ')
  const guards = parts.guards.join(' and ')
  const text = `with given as (
      select * from unnest(${arrays}) with ordinality as given(${names}, n)
    ), held as materialized (
      select g.* from given as g join deliveries on ${guards}
      order by ${ACCOUNT}, ${DELIVERY} for update of deliveries skip locked
    ), changed as (
      update deliveries set ${parts.sets.join(', ')} from held as g where ${guards}
      returning ${COLUMNS}, g.n, ${NOW}::timestamptz as changed_at
    )${
      parts.intent
        ? `, ended as (
      update booking_intents set ${parts.intent.sets} from held as g
      where ${parts.intent.where} and g.n in (select n from changed))`
        : ''
    }${sides(changes, given, ['c.account_id', 'c.delivery_id'])}
    select ${COLUMNS}, n::integer from changed`
  return { text, values: given }
}

type Bind = (value: unknown, type?: string) => string

function getGuards({ guard }: ChangeTarget, patch: DeliveryPatch, bind: Bind): string[] {
  const { fence, noOpenAttempt, openAttempt, contentVersion, consignmentNumber, onNoManifest } = guard
  const { cancelRequestedAtMs, rowVersion } = guard
  return [
    KEY,
    `status = any(string_to_array(${bind(guard.statuses.join(','))}, ','))`,
    fence === undefined ? null : `fence = ${bind(fence, 'bigint')}`,
    rowVersion === undefined ? null : `deliveries.xmin = ${bind(rowVersion, 'xid')}`,
    noOpenAttempt ? 'pending_attempt is null' : null,
    openAttempt === undefined ? null : `pending_attempt = ${bind(openAttempt, 'integer')}`,
    contentVersion === undefined ? null : `content_version = ${bind(contentVersion, 'integer')}`,
    cancelRequestedAtMs === undefined ? null : sameInstant('cancel_requested_at', cancelRequestedAtMs, bind),
    consignmentNumber === undefined ? null : `consignment_number = ${bind(consignmentNumber)}`,
    onNoManifest ? 'manifest_id is null' : null,
    patch.manifest_id === undefined ? null : 'exists (select from stood)',
  ].filter((one) => one !== null)
}

function getSets(
  target: ChangeTarget,
  patch: DeliveryPatch,
  traceparent: string | null,
  bind: Bind,
): string[] {
  const fields = Object.entries(patch) as [keyof DeliveryPatch, unknown][]
  const sets = fields.map(([column, value]) => `${column} = ${setTo(column, value, bind)}`)
  // Deferred work keeps the trace of the request that deferred it.
  if (patch.due_at && traceparent !== null) sets.push(`traceparent = ${bind(traceparent)}`)
  // A change that sets the next due time also requeues a dead-lettered row.
  if (patch.due_at !== undefined || (patch.status && isFinal(patch.status))) {
    sets.push(NOT_DEAD_LETTERED)
    if (patch.status_reason === undefined) sets.push(REASON_WITHOUT_DEAD_LETTER)
  }
  if (patch.content) sets.push('content_version = content_version + 1')
  const searchKey = changedSearchKey(patch, (value) => bind(value))
  if (searchKey) sets.push(`search_key = ${searchKey}`)
  if (!target.keepLease) sets.push('lease_until = null', 'claims = 0')
  if (!target.keepLease && target.guard.fence === undefined) sets.push('fence = fence + 1')
  return [updatedAt(target), ...sets]
}

/** Figures count an ended delivery by its `updated_at`: what is recorded afterwards does not move it to another day. */
function updatedAt({ guard }: ChangeTarget): string {
  if (!guard.statuses.some(isFinal)) return `updated_at = ${NOW}`
  return `updated_at = case when ${HAS_ENDED} then updated_at else ${NOW} end`
}

const HAS_ENDED = "status in ('delivered', 'returned', 'cancelled')"

function setTo(column: keyof DeliveryPatch, value: unknown, bind: Bind): string {
  const bound = bind(encode(column, value), PATCH_TYPES[column])
  if (column === 'booked_at') return notBeforeRequested(bound)
  if (column === 'excluded_providers') return `array(select json_array_elements_text(${bound}))`
  return bound
}

function encode(column: keyof DeliveryPatch, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (PATCH_TYPES[column] === 'timestamptz') return instant(value as number)
  if (PATCH_TYPES[column] === 'json') return typeof value === 'string' ? value : JSON.stringify(value)
  return value
}

/**
 * Two processes may read their clocks in a different order than they write: a delivery is never booked before it is
 * requested.
 */
function notBeforeRequested(bookedAt: string): string {
  return `case when ${bookedAt}::timestamptz is not null then greatest(${bookedAt}::timestamptz, requested_at) end`
}

function sameInstant(column: string, atMs: number | null, bind: Bind): string {
  return atMs === null ? `${column} is null` : `${column} = ${bind(instant(atMs), 'timestamptz')}`
}

function endIntent(intent: IntentEnd, bind: Bind): { sets: string; where: string } {
  const { attempt, state, message, settleMs = 0, ifRepeated, dropsRequest } = intent
  const sets = [
    `state = ${bind(state)}`,
    `carrier_message = ${bind(message)}`,
    `answered_at = ${NOW}`,
    `settle_until = greatest(settle_until, now() + ${bind(settleMs, 'float8')} * interval '1 millisecond')`,
    ...lookAgain(intent, bind),
    ...(dropsRequest || intent.lookAgainAtMs === null ? [DROP_REQUEST] : []),
    ...(ifRepeated ? [`refusal_if_repeated = ${bind(ifRepeated)}`] : []),
  ]
  const before = bind(statesBefore(state).join(','))
  const where = `${KEY} and attempt = ${bind(attempt, 'integer')} and state = any(string_to_array(${before}, ','))`
  return { sets: sets.join(', '), where }
}

function lookAgain({ lookAgainAtMs }: IntentEnd, bind: Bind): string[] {
  if (lookAgainAtMs === undefined) return []
  if (lookAgainAtMs === null) return ['may_still_appear = false', 'due_at = null']
  return [`abandoned_at = ${NOW}`, `due_at = ${bind(instant(lookAgainAtMs), 'timestamptz')}`]
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
      from deliveries where ${KEY} for update)`

const FREED = `, freed as (
      update manifest_deliveries as m set held = false, consigned_snapshot = stood.snapshot
      from stood where m.account_id = ${ACCOUNT} and m.delivery_id = ${DELIVERY} and m.held and exists (select from changed))`

/** What is written beside the deliveries: their events, the customers' messages, the carrier's updates. */
function sides(
  changes: readonly ChangeStatement[],
  values: unknown[],
  key: readonly [accountId: string, deliveryId: string],
): string {
  const bind = (value: unknown) => `$${values.push(value)}`
  const numbered = <Row>(pick: (change: ChangeStatement) => readonly Row[]) =>
    changes.flatMap((change, index) =>
      pick(change).map((row) => ({ ...row, n: index + 1, traceparent: change.traceparent })),
    )
  return [
    insertEvents(
      numbered(({ events }) => events),
      bind,
    ),
    enqueueNotifications(
      numbered(({ notifications }) => notifications),
      key,
      bind,
    ),
    keepUpdates(
      numbered(({ updates }) => updates),
      bind,
    ),
  ].join('')
}

type Numbered<Row> = Row & { n: number; traceparent: string | null }

function insertEvents(events: readonly Numbered<NewEvent>[], bind: (value: unknown) => string): string {
  if (events.length === 0) return ''
  const column = (pick: (event: Numbered<NewEvent>) => unknown): string => bind(events.map(pick))
  return `, recorded_events as (
    insert into events (account_id, stream, reference, event_id, type, at, source, from_status, to_status, sub_status, consignment_number, detail, data, traceparent)
    select c.account_id, c.delivery_id, c.reference, e.event_id, e.type, e.at, e.source, e.from_status, e.to_status, e.sub_status, e.consignment_number, e.detail,
      e.data, e.traceparent
    from unnest(${column((e) => e.n)}::integer[], ${column((e) => e.eventId)}::text[], ${column((e) => e.type)}::text[],
      ${column((e) => instant(e.atMs))}::timestamptz[], ${column((e) => e.source)}::text[], ${column((e) => e.from)}::text[],
      ${column((e) => e.to)}::text[], ${column((e) => e.subStatus)}::text[], ${column((e) => e.consignmentNumber)}::text[],
      ${column((e) => e.detail)}::text[], ${column((e) => (e.data ? JSON.stringify(e.data) : null))}::json[],
      ${column((e) => e.traceparent)}::text[])
      with ordinality as e(n, event_id, type, at, source, from_status, to_status, sub_status, consignment_number, detail, data, traceparent, place)
    join changed as c on c.n = e.n order by e.place)`
}

function keepUpdates(updates: readonly Numbered<TrackingUpdate>[], bind: (value: unknown) => string): string {
  if (updates.length === 0) return ''
  const column = (pick: (update: Numbered<TrackingUpdate>) => unknown): string => bind(updates.map(pick))
  return `, kept_updates as (
    insert into carrier_events (account_id, delivery_id, carrier_event_id, at, received_at, status, sub_status, carrier_message)
    select c.account_id, c.delivery_id, u.id, u.at, c.changed_at, u.status, u.sub_status, u.carrier_message
    from unnest(${column((u) => u.n)}::integer[], ${column((u) => u.eventId)}::text[], ${column((u) => instant(u.atMs))}::timestamptz[],
      ${column((u) => u.status)}::text[], ${column((u) => u.subStatus)}::text[], ${column((u) => u.message)}::text[])
      as u(n, id, at, status, sub_status, carrier_message)
    join changed as c on c.n = u.n)`
}
