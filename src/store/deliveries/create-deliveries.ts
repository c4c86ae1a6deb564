import type { DeliveryContent } from '../../domain/delivery/delivery.ts'
import type { AuditRow } from '../accounts/audit-log.ts'
import { type Db, instant } from '../db/db.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import type { StoredAnswer } from './idempotency.ts'
import { toSearchText } from './search-deliveries.ts'

/** A new delivery, with the rows that are written in the same statement: its first events and its idempotency key. */
export type NewDelivery = Pick<
  DeliveryRow,
  | 'account_id'
  | 'delivery_id'
  | 'store_id'
  | 'brand_id'
  | 'reference'
  | 'status_reason'
  | 'delivery_type'
  | 'chosen'
  | 'window_from'
  | 'window_to'
  | 'ready_for_pickup_at'
  | 'carrier_provider'
  | 'manifest_status'
  | 'account_version'
  | 'created_at'
  | 'due_at'
> & {
  content: DeliveryContent
  /** JSON text, stored as it is. */
  decision: string
  createdEventId: string
  requestedEventId: string
  /** Milliseconds for which the creating process works on it itself; 0 leaves it to the workers. */
  leaseMs: number
  /** Idempotency key. Without a response the key stays taken until `answerKeyOfDelivery` (`book_delivery_now`). */
  idempotency: { key: string; fingerprint: Buffer; answer: StoredAnswer | null } | null
  /** Null if the calling operation writes the audit row itself. */
  audit: AuditRow | null
  /** The trace of its work and events, as a traceparent. */
  traceparent: string | null
}

/** Wall-clock lifetime of a key whose request still runs; longer than any request may take. */
export const KEY_LOCK_SECONDS = 60

/**
 * Creates deliveries, their first events and their idempotency keys in one statement, for one or many pending requests
 * at once. Returns the ids that were created; the references of the others are taken. A taken key fails the whole
 * statement with 23505, and no row is written.
 */
export async function createDeliveries(db: Db, made: readonly NewDelivery[]): Promise<Set<string>> {
  const column = <T>(pick: (delivery: NewDelivery) => T): T[] => made.map(pick)
  const { rows } = await db.query<{ delivery_id: string }>({
    name: 'create-deliveries',
    text: CREATE_DELIVERIES,
    values: [
      column((d) => d.account_id),
      column((d) => d.delivery_id),
      column((d) => d.store_id),
      column((d) => d.brand_id),
      column((d) => d.reference),
      column((d) => d.status_reason),
      column((d) => JSON.stringify(d.content)),
      column((d) => d.delivery_type),
      column((d) => d.content.deliveryMode),
      column((d) => (d.chosen === null ? null : JSON.stringify(d.chosen))),
      column((d) => d.decision),
      column((d) => (d.window_from === null ? null : instant(d.window_from))),
      column((d) => (d.window_to === null ? null : instant(d.window_to))),
      column((d) => instant(d.ready_for_pickup_at)),
      column((d) => d.carrier_provider),
      column((d) => d.manifest_status),
      column((d) => d.account_version),
      column((d) => instant(d.created_at)),
      column((d) => (d.due_at === null ? null : instant(d.due_at))),
      column((d) => d.leaseMs),
      column((d) => d.createdEventId),
      column((d) => d.requestedEventId),
      column((d) => d.idempotency?.key ?? null),
      column((d) => d.idempotency?.fingerprint ?? null),
      column((d) => d.idempotency?.answer?.status ?? null),
      column((d) => (d.idempotency?.answer ? JSON.stringify(d.idempotency.answer.headers) : null)),
      column((d) => d.idempotency?.answer?.body ?? null),
      column((d) => d.audit?.audit_id ?? null),
      column((d) => d.audit?.actor_kind ?? null),
      column((d) => d.audit?.actor ?? null),
      column((d) => d.audit?.action ?? null),
      column((d) => d.audit?.ip ?? null),
      column((d) => d.audit?.request_id ?? null),
      column((d) => d.traceparent),
      column((d) => toSearchText(d.content, d.reference)),
    ],
  })
  return new Set(rows.map((row) => row.delivery_id))
}

const CREATE_DELIVERIES = `
with given as (
  select * from unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::json[], $8::text[], $9::text[],
    $10::json[], $11::json[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[], $15::text[], $16::text[],
    $17::int[], $18::timestamptz[], $19::timestamptz[], $20::int[], $21::text[], $22::text[],
    $23::text[], $24::bytea[], $25::int[], $26::json[], $27::text[],
    $28::text[], $29::text[], $30::text[], $31::text[], $32::text[], $33::text[], $34::text[], $35::text[]
  ) as given(
    account_id, delivery_id, store_id, brand_id, reference, status_reason, content, delivery_type, delivery_mode,
    chosen, decision, window_from, window_to, ready_for_pickup_at, carrier_provider, manifest_status,
    account_version, created_at, due_at, lease_ms, created_event, requested_event,
    key, fingerprint, key_status, key_headers, key_body, audit_id, actor_kind, actor, action, ip, request_id, traceparent, search_text)
), made as (
  insert into deliveries (
    account_id, delivery_id, store_id, brand_id, reference, status, status_reason, content, delivery_type,
    delivery_mode, chosen, decision, decided_at, window_from, window_to, ready_for_pickup_at, carrier_provider,
    manifest_status, account_version, created_at, updated_at, requested_at, due_at, traceparent, search_key, lease_until, fence, claims)
  select
    account_id, delivery_id, store_id, brand_id, reference, 'requested', status_reason, content, delivery_type,
    delivery_mode, chosen, decision, created_at, window_from, window_to, ready_for_pickup_at, carrier_provider,
    manifest_status, account_version, created_at, created_at, created_at, due_at, traceparent, search_key(search_text),
    now() + nullif(lease_ms, 0) * interval '1 millisecond',
    case when lease_ms > 0 then 1 else 0 end,
    case when lease_ms > 0 then 1 else 0 end
  from given
  -- Everybody in one order: of two statements with the same references one waits, and never both.
  order by account_id, reference, store_id
  on conflict (account_id, reference, store_id) do nothing
  returning delivery_id
), recorded_events as (
  insert into events (account_id, stream, reference, event_id, type, at, source, from_status, to_status, traceparent)
  select given.account_id, given.delivery_id, given.reference, step.event_id, step.type, given.created_at, 'api', step.from_status, step.to_status,
    given.traceparent
  from given
  join made using (delivery_id)
  cross join lateral (values
    (1, given.created_event, 'delivery.created', null::text, 'created'),
    (2, given.requested_event, 'delivery.requested', 'created', 'requested')
  ) as step(place, event_id, type, from_status, to_status)
  order by given.delivery_id, step.place
), keyed as (
  insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, delivery_id, locked_until)
  select account_id, key, fingerprint, key_status, key_headers, key_body, delivery_id,
    now() + interval '${KEY_LOCK_SECONDS} seconds'
  from given join made using (delivery_id)
  where key is not null
  order by account_id, reference, store_id
), audited as (
  insert into audit_log (account_id, audit_id, actor_kind, actor, action, object, ip, request_id)
  select account_id, audit_id, actor_kind, actor, action, delivery_id, ip, request_id
  from given join made using (delivery_id)
  where audit_id is not null
)
select delivery_id from made`

/** The delivery that a key's first request created before its process died, if there is one. */
export async function findAbandonedDelivery(
  db: Db,
  { accountId, key, fingerprint }: { accountId: string; key: string; fingerprint: Buffer },
): Promise<string | null> {
  const { rows } = await db.query<{ delivery_id: string | null }>({
    name: 'find-abandoned-delivery',
    text: `select delivery_id from idempotency_keys
           where account_id = $1 and key = $2 and fingerprint = $3 and status is null and locked_until < now()`,
    values: [accountId, key, fingerprint],
  })
  return rows[0]?.delivery_id ?? null
}

/**
 * The request that created this delivery failed before it could respond: the next request with its key responds
 * instead.
 */
export async function abandonKeyOfDelivery(
  db: Db,
  { accountId, key, deliveryId }: { accountId: string; key: string; deliveryId: string },
): Promise<void> {
  await db.query({
    name: 'abandon-key-of-delivery',
    text: `update idempotency_keys set locked_until = now()
           where account_id = $1 and key = $2 and delivery_id = $3 and status is null`,
    values: [accountId, key, deliveryId],
  })
}

/** Stores the response of the request that created this delivery. */
export async function answerKeyOfDelivery(
  db: Db,
  { accountId, key, deliveryId }: { accountId: string; key: string; deliveryId: string },
  { status, headers, body }: StoredAnswer,
): Promise<void> {
  await db.query({
    name: 'answer-key-of-delivery',
    text: `update idempotency_keys set status = $4, headers = $5, body = $6
           where account_id = $1 and key = $2 and delivery_id = $3 and status is null`,
    values: [accountId, key, deliveryId, status, JSON.stringify(headers), body],
  })
}
