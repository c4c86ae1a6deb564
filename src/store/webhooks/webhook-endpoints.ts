import { type Db, instant } from '../db/db.ts'

/** A secret as stored. */
export type SealedSecret = { keyId: string; nonce: Buffer; ciphertext: Buffer }

export type WebhookEndpoint = {
  accountId: string
  id: string
  url: string
  /** Null: every type. */
  eventTypes: string[] | null
  /** Null: every store, and the account's own events. */
  storeIds: string[] | null
  createdAtMs: number
  updatedAtMs: number
  pausedAtMs: number | null
  pausedReason: string | null
  failingSinceMs: number | null
  /** Events that wait to be sent or replayed. */
  backlog: number
}

const COLUMNS = `account_id as "accountId", endpoint_id as id, url, event_types as "eventTypes", store_ids as "storeIds",
  created_at as "createdAtMs", updated_at as "updatedAtMs", paused_at as "pausedAtMs", paused_reason as "pausedReason",
  failing_since as "failingSinceMs", backlog`

export type NewWebhookEndpoint = Pick<
  WebhookEndpoint,
  'accountId' | 'id' | 'url' | 'eventTypes' | 'storeIds'
> & {
  secret: SealedSecret
  nowMs: number
}

/** Creates an endpoint for events published from now on; null if the account already has `max` endpoints. */
export async function insertWebhookEndpoint(
  db: Db,
  made: NewWebhookEndpoint,
  max: number,
): Promise<WebhookEndpoint | null> {
  const { accountId, id, url, eventTypes, storeIds, secret, nowMs } = made
  const { rows } = await db.query<WebhookEndpoint>({
    name: 'insert-webhook-endpoint',
    text: `insert into webhook_endpoints (account_id, endpoint_id, url, event_types, store_ids, key_id, nonce, ciphertext,
        created_at, updated_at, cursor_feed_position)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, $9,
        coalesce((select last_feed_position from event_sequences where account_id = $1), 0)
      where (select count(*) from webhook_endpoints where account_id = $1) < $10
      returning ${COLUMNS}`,
    values: [
      accountId,
      id,
      url,
      eventTypes,
      storeIds,
      secret.keyId,
      secret.nonce,
      secret.ciphertext,
      instant(nowMs),
      max,
    ],
  })
  return rows[0] ?? null
}

/** Oldest first. */
export async function listWebhookEndpoints(db: Db, accountId: string): Promise<WebhookEndpoint[]> {
  const { rows } = await db.query<WebhookEndpoint>({
    name: 'list-webhook-endpoints',
    text: `select ${COLUMNS} from webhook_endpoints where account_id = $1 order by endpoint_id`,
    values: [accountId],
  })
  return rows
}

export async function findWebhookEndpoint(
  db: Db,
  accountId: string,
  endpointId: string,
): Promise<WebhookEndpoint | null> {
  const { rows } = await db.query<WebhookEndpoint>({
    name: 'find-webhook-endpoint',
    text: `select ${COLUMNS} from webhook_endpoints where account_id = $1 and endpoint_id = $2`,
    values: [accountId, endpointId],
  })
  return rows[0] ?? null
}

export type WebhookEndpointPatch = {
  url?: string
  /** Null: every type. */
  eventTypes?: readonly string[] | null
  /** Why it is not called; null: it is called again, and at once with all that waits. */
  pausedReason?: string | null
}

/** Null when it is gone. */
export async function updateWebhookEndpoint(
  db: Db,
  accountId: string,
  endpointId: string,
  { url, eventTypes, pausedReason }: WebhookEndpointPatch,
  nowMs: number,
): Promise<WebhookEndpoint | null> {
  const { rows } = await db.query<WebhookEndpoint>({
    name: 'update-webhook-endpoint',
    // Citus returns no rows if a CTE’s condition is a constant false: hence the infinity.
    text: `with resumed as (
        update webhook_sends set due_at = $3 where account_id = $1 and endpoint_id = $2
          and due_at > case when $7 and $8::text is null then $3 else 'infinity'::timestamptz end)
      update webhook_endpoints set updated_at = $3, url = coalesce($4, url),
        event_types = case when $5 then $6::text[] else event_types end,
        paused_reason = case when $7 then $8 else paused_reason end,
        paused_at = case when not $7 then paused_at when $8::text is not null then coalesce(paused_at, $3) end,
        failing_since = case when $7 then null else failing_since end,
        backoff_until = case when $7 then null else backoff_until end
      where account_id = $1 and endpoint_id = $2 returning ${COLUMNS}`,
    values: [
      accountId,
      endpointId,
      instant(nowMs),
      url ?? null,
      eventTypes !== undefined,
      eventTypes ?? null,
      pausedReason !== undefined,
      pausedReason ?? null,
    ],
  })
  return rows[0] ?? null
}

/** The current secret becomes the old one, which signs too for `graceMs` of wall time. */
export async function replaceWebhookSecret(
  db: Db,
  accountId: string,
  endpointId: string,
  secret: SealedSecret,
  { nowMs, graceMs }: { nowMs: number; graceMs: number },
): Promise<void> {
  await db.query({
    name: 'replace-webhook-secret',
    text: `update webhook_endpoints set previous_key_id = key_id, previous_nonce = nonce, previous_ciphertext = ciphertext,
        previous_valid_until = now() + $7 * interval '1 millisecond',
        key_id = $4, nonce = $5, ciphertext = $6, updated_at = $3
      where account_id = $1 and endpoint_id = $2`,
    values: [accountId, endpointId, instant(nowMs), secret.keyId, secret.nonce, secret.ciphertext, graceMs],
  })
}

/** Deletes the endpoint with its queue and its attempts. */
export async function deleteWebhookEndpoint(db: Db, accountId: string, endpointId: string): Promise<void> {
  await db.query({
    name: 'delete-webhook-endpoint',
    text: 'delete from webhook_endpoints where account_id = $1 and endpoint_id = $2',
    values: [accountId, endpointId],
  })
}
