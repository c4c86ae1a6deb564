import { PAUSED_AFTER_MS } from '../../domain/webhooks/retry.ts'
import { type Db, instant } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'
import { FEED_POSITION_OF_OLD_CURSOR } from '../deliveries/publish-events.ts'
import { type ClaimSize, makeClaimer } from '../leases/claim-due.ts'
import { skipScan } from '../leases/find-due-accounts.ts'
import type { AccountNows } from '../leases/poison-row-quarantine.ts'
import type { SealedSecret } from './webhook-endpoints.ts'

/**
 * Fencing token: an endpoint with events to send, or to be paused, leased to one worker. Only the holder of the fence
 * writes to it.
 */
export type DueWebhookEndpoint = {
  accountId: string
  endpointId: string
  fence: number
  claims: number
  url: string
  /** The current secret, then the previous one while it still signs. */
  secrets: SealedSecret[]
  failingSinceMs: number | null
  /** Events are to be replayed. */
  hasReplays: boolean
  /** The last event of the feed that was read for it. */
  cursorFeedPosition: number
}

/**
 * Beyond this backlog an endpoint reads no further: the remaining events are as safe in the feed as in a queue of its
 * own.
 */
export const MAX_BACKLOG = 10_000

/**
 * The accounts whose endpoints may have something due, so that claims ask these accounts only: sends that wait, replays,
 * failures that go on, or events that were published since an endpoint read the feed.
 */
export async function findWebhookAccounts(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'find-webhook-accounts',
    text: `${engineOf(db) === 'citus' ? PENDING_ON_CITUS : PENDING} union select account_id from webhook_replays
      union select w.account_id from webhook_endpoints as w left join event_sequences as feed using (account_id)
        where w.paused_at is null and (w.failing_since is not null or w.cursor_feed_position is null
          or feed.last_feed_position > w.cursor_feed_position)`,
  })
  return rows.map(({ account_id }) => account_id)
}

/** Only accounts with queued sends or replays, which are cheap to find: `findWebhookAccounts` reads all endpoints. */
export async function findQueuedWebhookAccounts(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'find-queued-webhook-accounts',
    text: `${engineOf(db) === 'citus' ? PENDING_ON_CITUS : PENDING} union select account_id from webhook_replays`,
  })
  return rows.map(({ account_id }) => account_id)
}

const PENDING = `with recursive ${skipScan('pending', 'webhook_sends', { key: ['account_id', 'endpoint_id'] })}
  select account_id from pending`
const PENDING_ON_CITUS = 'select account_id from webhook_sends where due_at is not null'

/**
 * Claims endpoints that have something due or new to hear, or have failed for so long that they are to be paused; those
 * longest not claimed come first, so that none waits for others.
 */
export async function claimDueWebhooks(
  db: Db,
  nows: AccountNows,
  size: Omit<ClaimSize, 'values'>,
): Promise<DueWebhookEndpoint[]> {
  const rows = await claimRows(db, nows, { ...size, values: [MAX_BACKLOG, PAUSED_AFTER_MS] })
  return rows.map(
    ({ key_id, nonce, ciphertext, previous_key_id, previous_nonce, previous_ciphertext, ...row }) => ({
      ...row,
      secrets: [
        { keyId: key_id, nonce, ciphertext },
        ...(previous_key_id && previous_nonce && previous_ciphertext
          ? [{ keyId: previous_key_id, nonce: previous_nonce, ciphertext: previous_ciphertext }]
          : []),
      ],
    }),
  )
}

type ClaimedRow = Omit<DueWebhookEndpoint, 'secrets'> & {
  key_id: string
  nonce: Buffer
  ciphertext: Buffer
  previous_key_id: string | null
  previous_nonce: Buffer | null
  previous_ciphertext: Buffer | null
}

const columnsWith = (
  hasReplays: string,
) => `w.account_id as "accountId", w.endpoint_id as "endpointId", w.fence, w.claims, w.url,
    w.failing_since as "failingSinceMs", w.cursor_feed_position as "cursorFeedPosition",
    w.key_id, w.nonce, w.ciphertext, ${hasReplays} as "hasReplays",
    case when w.previous_valid_until > now() then w.previous_key_id end as previous_key_id,
    case when w.previous_valid_until > now() then w.previous_nonce end as previous_nonce,
    case when w.previous_valid_until > now() then w.previous_ciphertext end as previous_ciphertext`

const dueWith = (lastFeedPosition: string) => `(w.failing_since <= a.now - $7 * interval '1 millisecond'
    or exists (select from webhook_sends as s
      where s.account_id = a.account_id and s.endpoint_id = w.endpoint_id and s.due_at <= a.now)
    or exists (select from webhook_replays as r
      where r.account_id = a.account_id and r.endpoint_id = w.endpoint_id)
    or w.backlog < $6 and (w.cursor_feed_position is null or ${lastFeedPosition} > w.cursor_feed_position))`

const claimRows = makeClaimer<ClaimedRow>({
  name: 'claim-due-webhooks',
  table: 'webhook_endpoints',
  as: 'w',
  key: ['endpoint_id'],
  columns: columnsWith(`exists (select from webhook_replays as r
      where r.account_id = w.account_id and r.endpoint_id = w.endpoint_id)`),
  join: 'left join event_sequences as feed using (account_id)',
  where: 'w.paused_at is null and (w.backoff_until is null or w.backoff_until <= a.now)',
  due: dueWith('feed.last_feed_position'),
  onCitus: {
    columns: columnsWith(
      'w.endpoint_id in (select endpoint_id from webhook_replays where account_id = a.account_id)',
    ),
    join: '',
    due: dueWith('(select last_feed_position from event_sequences where account_id = a.account_id)'),
    // No earlier release ran on Citus, so there are no old cursors to convert.
    set: 'claimed_at = now()',
  },
  order: ['claimed_at nulls first'],
  acrossAccounts: true,
  // From here on the release before this reads nothing more for it: two cursors would tell every event twice.
  set: `claimed_at = now(),
    cursor_feed_position = coalesce(w.cursor_feed_position, ${FEED_POSITION_OF_OLD_CURSOR('w.account_id', 'w.cursor_tx', 'w.cursor_position')}),
    cursor_tx = default, cursor_position = default`,
})

/** Ends the lease; the next claim finds the remaining work. */
export async function releaseWebhook(
  db: Db,
  { accountId, endpointId, fence }: DueWebhookEndpoint,
): Promise<void> {
  await db.query({
    name: 'release-webhook',
    text: `update webhook_endpoints set lease_until = null, claims = 0
      where account_id = $1 and endpoint_id = $2 and fence = $3`,
    values: [accountId, endpointId, fence],
  })
}

/** Pauses the endpoint, ends the lease and writes the event; does nothing if it is paused or the lease is lost. */
export async function pauseWebhook(
  db: Db,
  { accountId, endpointId, fence }: DueWebhookEndpoint,
  { reason, eventId, nowMs }: { reason: string; eventId: string; nowMs: number },
): Promise<void> {
  await db.query({
    name: 'pause-webhook',
    text: `with paused as (
        update webhook_endpoints set paused_at = $4, paused_reason = $5, lease_until = null, claims = 0
        where account_id = $1 and endpoint_id = $2 and fence = $3 and paused_at is null
        returning endpoint_id, url)
      insert into events (account_id, stream, event_id, type, at, source, data)
      select $1, '', $6, 'webhook_endpoint.paused', $4, 'worker',
        json_build_object('endpoint_id', endpoint_id, 'url', url, 'reason', $5::text)
      from paused`,
    values: [accountId, endpointId, fence, instant(nowMs), reason, eventId],
  })
}
