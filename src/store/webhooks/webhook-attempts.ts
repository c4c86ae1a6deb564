import { type Db, instant } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'
import { purgeByAccount } from '../db/purge-expired.ts'
import type { DueWebhookEndpoint } from './due-webhooks.ts'

export type AttemptOutcome = 'delivered' | 'failed' | 'exhausted'

export type WebhookAttempt = {
  /** Grows with time. */
  attempt: number
  eventId: string
  type: string
  /** The number of this attempt for its event, from 1. */
  number: number
  atMs: number
  durationMs: number
  outcome: AttemptOutcome
  /** The HTTP status, if the receiver responded. */
  status: number | null
  message: string | null
  /** When it is retried. */
  nextAtMs: number | null
}

export type NewAttempt = Omit<WebhookAttempt, 'attempt'> & {
  lane: string
  position: number
  /** Backpressure: the receiver asked us to wait until then. */
  heldUntilMs: number | null
  /** The endpoint is paused, with the reason and the event to write. */
  paused: { reason: string; eventId: string } | null
}

/**
 * Writes one attempt down with everything that follows from it: the event is gone or waits, the next of its
 * lane comes up, the endpoint is well, failing or paused. False: the endpoint is no longer ours, and nothing
 * was written.
 */
export async function recordAttempt(
  db: Db,
  { accountId, endpointId, fence }: DueWebhookEndpoint,
  made: NewAttempt,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record-webhook-attempt',
    text: RECORD,
    values: [
      accountId,
      endpointId,
      fence,
      leaseMs,
      made.eventId,
      made.lane,
      made.type,
      made.number,
      instant(made.atMs),
      Math.round(made.durationMs),
      made.outcome,
      made.status,
      made.message,
      at(made.nextAtMs),
      at(made.heldUntilMs),
      made.paused?.reason ?? null,
      made.paused?.eventId ?? null,
      made.position,
    ],
  })
  return rowCount === 1
}

const RECORD = `with before as (
    select paused_at from webhook_endpoints
    where account_id = $1 and endpoint_id = $2 and fence = $3 for update),
  held as (
    update webhook_endpoints as w set lease_until = now() + $4 * interval '1 millisecond', claims = 0,
      failing_since = case when $11::text <> 'delivered' then coalesce(failing_since, $9::timestamptz) end,
      backoff_until = case when $11 <> 'delivered' then coalesce($15::timestamptz, backoff_until) end,
      paused_at = case when $16::text is null then w.paused_at else coalesce(w.paused_at, $9) end,
      paused_reason = coalesce(w.paused_reason, $16),
      backlog = backlog - case when $11 = 'failed' then 0 else 1 end
    from before where w.account_id = $1 and w.endpoint_id = $2
    returning w.endpoint_id, w.url, before.paused_at is null as was_active),
  waits as (
    update webhook_sends as s set attempts = $8, first_at = coalesce(first_at, $9), due_at = $14::timestamptz
    from held where s.account_id = $1 and s.endpoint_id = $2 and s.lane = $6 and s.position = $18 and $11 = 'failed'),
  gone as (
    delete from webhook_sends as s using held
    where s.account_id = $1 and s.endpoint_id = $2 and s.lane = $6 and s.position = $18 and $11 <> 'failed'),
  next as (
    update webhook_sends as s set due_at = $9 from held
    where s.account_id = $1 and s.endpoint_id = $2 and $11 <> 'failed' and s.lane = $6 and s.position = (
      select n.position from webhook_sends as n
      where n.account_id = $1 and n.endpoint_id = $2 and n.lane = $6 and n.position <> $18
      order by n.position limit 1)),
  recorded_events as (
    insert into events (account_id, stream, event_id, type, at, source, data)
    select $1, '', $17::text, 'webhook_endpoint.paused', $9, 'worker',
      json_build_object('endpoint_id', endpoint_id, 'url', url, 'reason', $16)
    from held where $16 is not null and was_active)
  insert into webhook_attempts (account_id, endpoint_id, event_id, type, number, at, duration_ms, outcome, status, response_excerpt, next_at)
  select $1, $2, $5, $7, $8, $9, $10, $11, $12, $13, $14::timestamptz from held`

/** Newest first, before the given attempt. */
export async function listAttempts(
  db: Db,
  accountId: string,
  endpointId: string,
  { before, eventId, limit }: { before: number | null; eventId: string | null; limit: number },
): Promise<WebhookAttempt[]> {
  const { rows } = await db.query<WebhookAttempt>({
    name: 'list-webhook-attempts',
    text: `select attempt, event_id as "eventId", type, number, at as "atMs", duration_ms as "durationMs", outcome,
        status, response_excerpt as message, next_at as "nextAtMs"
      from webhook_attempts
      where account_id = $1 and endpoint_id = $2 and ($3::bigint is null or attempt < $3)
        and ($4::text is null or event_id = $4)
      order by attempt desc limit $5`,
    values: [accountId, endpointId, before, eventId, limit],
  })
  return rows
}

/** Attempts are kept for 30 days; forgets a share of the older ones and answers how many. */
export async function purgeOldAttempts(db: Db, batch = 5_000): Promise<number> {
  if (engineOf(db) === 'citus')
    return purgeByAccount(db, { table: 'webhook_attempts', age: 'made_at', keptFor: '30 days', batch })
  const { rowCount } = await db.query(
    `delete from webhook_attempts where ctid = any (array(
       select ctid from webhook_attempts where made_at < now() - interval '30 days' limit $1))`,
    [batch],
  )
  return rowCount ?? 0
}

function at(ms: number | null): string | null {
  return ms === null ? null : instant(ms)
}
