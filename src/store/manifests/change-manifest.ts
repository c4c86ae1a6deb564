import type { Article } from '../../domain/delivery/delivery.ts'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { type Db, instant } from '../db/db.ts'

/** Only the holder of this fence, and only while it is in one of these states. Instants are account time. */
export type ManifestTarget = {
  accountId: string
  manifestId: string
  fence: number
  state: 'submitting' | 'on_hold'
  nowMs: number
}

export type LodgedOrder = {
  orderId: string
  /** Null where only a person knows, and does not know that. */
  costCents: number | null
  /** By consignment number; the articles of others stay as they are. */
  articles: ReadonlyMap<string, readonly Article[]>
  eventId: string
  source: 'api' | 'worker'
}

/**
 * Commits the question before the carrier is asked, for the holder of the lease only, and takes off what has gone
 * elsewhere since it was made: from here on the manifest is what the carrier is asked for. False: somebody else was
 * faster, so nobody may call.
 */
export async function openSubmit(db: Db, target: ManifestTarget, settleMs: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'open-submit',
    text: `with gone as (
        select delivery_id, units from manifest_deliveries
        where account_id = $1 and manifest_id = $2 and consigned_snapshot is not null),
      m as (
        update manifests set submission_state = 'sent', unclear_refusal = null, settle_until = now() + $5 * interval '1 millisecond',
          deliveries = deliveries - (select count(*) from gone)::int,
          items = items - (select coalesce(sum(units), 0) from gone)::int
        where ${HELD} and submission_state is null returning manifest_id),
      dropped as (
        delete from manifest_deliveries
        where account_id = $1 and manifest_id = $2 and delivery_id in (select delivery_id from gone)
          and exists (select from m))
      select from m`,
    values: [...held(target), settleMs],
  })
  return rowCount === 1
}

/**
 * The carrier has it: manifest, deliveries, their article ids and the event in one statement. Deliveries are
 * locked in the order of their ids, as by everybody who takes more than one. False: the fence no longer held.
 */
export async function recordOrder(db: Db, target: ManifestTarget, order: LodgedOrder): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record-order',
    text: `with m as (
        update manifests set state = 'submitted', state_reason = null, order_id = $5, cost_cents = $6, submission_state = null,
          submitted_at = $7, updated_at = $7, due_at = null, lease_until = null, claims = 0
        where ${HELD} returning *),
      locked as (
        select d.delivery_id, coalesce(d.carrier_ref, d.consignment_number) as ref from deliveries as d
        where d.account_id = $1 and d.delivery_id in (
          select delivery_id from manifest_deliveries
          where account_id = $1 and manifest_id = $2 and held and exists (select from m))
        order by d.delivery_id for update),
      done as (
        update deliveries as d
        set manifest_status = 'manifested', articles = coalesce(given.articles, d.articles),
          updated_at = case when d.status in ('delivered', 'returned', 'cancelled') then d.updated_at else $7 end
        from locked
        left join unnest($8::text[], $9::json[]) as given(ref, articles) using (ref)
        where d.account_id = $1 and d.delivery_id = locked.delivery_id),
      recorded_events as (
        insert into events (account_id, stream, event_id, type, at, source, traceparent, data)
        select $1, '', $10, 'manifest.submitted', $7, $11, $12, json_build_object(
          'manifest_id', m.manifest_id, 'manifest_group', m.manifest_group, 'store_id', m.store_id,
          'contains_dangerous_goods', m.dangerous_goods, 'deliveries', m.deliveries, 'number_of_items', m.items,
          'order_id', m.order_id, 'total_cost', m.cost_cents / 100.0)
        from m)
      select from m`,
    values: [
      ...held(target),
      order.orderId,
      order.costCents,
      instant(target.nowMs),
      [...order.articles.keys()],
      [...order.articles.values()].map((articles) => JSON.stringify(articles)),
      order.eventId,
      order.source,
      currentTraceparent(),
    ],
  })
  return rowCount === 1
}

/**
 * The carrier does not have it: what it still holds is free again; what has left it may be another's by now. False:
 * the fence no longer held.
 */
export async function recordRefusal(db: Db, target: ManifestTarget, reason: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record-refusal',
    text: `with m as (
        update manifests set state = 'refused', state_reason = $5, submission_state = null, updated_at = $6, due_at = null,
          lease_until = null, claims = 0
        where ${HELD} returning manifest_id),
      locked as (
        select d.delivery_id from deliveries as d
        where d.account_id = $1 and d.manifest_id = $2 and d.delivery_id in (
          select delivery_id from manifest_deliveries
          where account_id = $1 and manifest_id = $2 and held and exists (select from m))
        order by d.delivery_id for update),
      released as (
        update manifest_deliveries as h set held = false from locked
        where h.account_id = $1 and h.manifest_id = $2 and h.delivery_id = locked.delivery_id),
      freed as (
        update deliveries as d set manifest_id = null from locked
        where d.account_id = $1 and d.delivery_id = locked.delivery_id)
      select from m`,
    values: [...held(target), reason, instant(target.nowMs)],
  })
  return rowCount === 1
}

/**
 * Not decided yet: due again at `dueAtMs`, or for a person (`on_hold`). What it holds stays held. `settleMs`
 * starts a new settle time.
 */
export async function recordWaiting(
  db: Db,
  target: ManifestTarget,
  {
    state,
    reason,
    submissionState,
    dueAtMs,
    settleMs,
    unclearRefusal,
  }: {
    state: 'submitting' | 'on_hold'
    reason: string
    submissionState: 'unknown' | null
    dueAtMs: number | null
    settleMs?: number
    unclearRefusal?: string
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: settleMs === undefined ? 'record-waiting' : 'record-waiting-and-settle',
    text: `update manifests set state = $5, state_reason = $6, submission_state = $7, updated_at = $8, due_at = $9,
        unclear_refusal = coalesce($10, unclear_refusal), attempts = attempts + 1, lease_until = null, claims = 0${settleMs === undefined ? '' : SETTLES}
      where ${HELD}`,
    values: [
      ...held(target),
      state,
      reason,
      submissionState,
      instant(target.nowMs),
      dueAtMs === null ? null : instant(dueAtMs),
      unclearRefusal ?? null,
      ...(settleMs === undefined ? [] : [settleMs]),
    ],
  })
  return rowCount === 1
}

const SETTLES = `, settle_until = now() + $11::int * interval '1 millisecond'`

const HELD = 'account_id = $1 and manifest_id = $2 and fence = $3 and state = $4'

function held({ accountId, manifestId, fence, state }: ManifestTarget): unknown[] {
  return [accountId, manifestId, fence, state]
}
