import type { Pool } from 'pg'
import type { Db } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'
import { purgeExpired } from '../db/purge-expired.ts'

/** A response as it was sent, to be repeated byte for byte. */
export type StoredAnswer = { status: number; headers: Record<string, string>; body: string }

export type IdempotentRequest = { accountId: string; key: string; fingerprint: Buffer }

/**
 * `claimed`: this request holds the key, under `lock`; `begun` is the checkpoint of the previous request, which died or
 * could not respond. The other kinds say why the key is not available.
 */
export type Claim = { kind: 'claimed'; lock: string; begun: string | null } | TakenKey
export type TakenKey =
  | { kind: 'replay'; answer: StoredAnswer }
  | { kind: 'in_progress'; retryAfterSeconds: number }
  | { kind: 'reused' }

/** Longer than any request may take: the process with a lock this old has died. */
export const LOCK_SECONDS = 60
/** A booking inside the request takes 8 s at most: a process that holds a lock for longer has died. */
const LONGEST_REQUEST_SECONDS = 10
const PAUSE_SECONDS = 5
/** Longer than a client's weekend outage. */
export const KEPT_HOURS = 72

/**
 * Idempotency key: claims the key for this request, or says which request has it. A key older than 72 hours is free
 * again; if its first request died half way, a request with the same fingerprint takes it over.
 */
export async function claimKey(db: Pool, { accountId, key, fingerprint }: IdempotentRequest): Promise<Claim> {
  const row = await (engineOf(db) === 'citus' ? insertKeyOnCitus : insertKey)(db, {
    accountId,
    key,
    fingerprint,
  })
  if (row) return { kind: 'claimed', ...row }
  // The key was released in between: the caller may retry at once.
  return (await readKey(db, { accountId, key, fingerprint })) ?? { kind: 'in_progress', retryAfterSeconds: 1 }
}

type ClaimedKey = { lock: string; begun: string | null }

/** Returns undefined if another request holds the key. */
async function insertKey(
  db: Pool,
  { accountId, key, fingerprint }: IdempotentRequest,
): Promise<ClaimedKey | undefined> {
  const { rows } = await db.query<ClaimedKey>({
    name: 'claim-idempotency-key',
    text: CLAIM,
    values: [accountId, key, fingerprint],
  })
  return rows[0]
}

/** Citus rejects `now()` after `on conflict` and in `returning`, so we read the coordinator’s time first. */
async function insertKeyOnCitus(
  db: Pool,
  { accountId, key, fingerprint }: IdempotentRequest,
): Promise<ClaimedKey | undefined> {
  const times = await db.query<{ at: string; lock: string; cutoff: string }>({
    name: 'read-times-of-key',
    text: TIMES,
  })
  const { at, lock, cutoff } = times.rows[0] as { at: string; lock: string; cutoff: string }
  const { rows } = await db.query<Pick<ClaimedKey, 'begun'>>({
    name: 'claim-idempotency-key-at',
    text: CLAIM_AT,
    values: [accountId, key, fingerprint, lock, at, cutoff],
  })
  return rows[0] && { lock, ...rows[0] }
}

/** What a taken key belongs to; null if it is free. */
export async function readKey(
  db: Pool,
  { accountId, key, fingerprint }: IdempotentRequest,
): Promise<Exclude<Claim, { kind: 'claimed' }> | null> {
  const { rows } = await db.query<KeyRow>({
    name: 'read-idempotency-key',
    text: READ,
    values: [accountId, key],
  })
  const row = rows[0]
  if (!row) return null
  if (!row.fingerprint.equals(fingerprint)) return { kind: 'reused' }
  if (row.status === null) return { kind: 'in_progress', retryAfterSeconds: pauseOf(row) }
  return { kind: 'replay', answer: { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' } }
}

/**
 * Deletes the row of a key that `claimKey` would take over, for operations that write the key with their work. False:
 * no row was deleted. A delivery that was created under the key is kept for its response.
 */
export async function freeKey(db: Db, { accountId, key, fingerprint }: IdempotentRequest): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'free-idempotency-key',
    text: FREE,
    values: [accountId, key, fingerprint],
  })
  return rowCount === 1
}

/** Stores the response, unless another request has meanwhile taken the key over. */
export async function completeKey(
  db: Db,
  { accountId, key }: IdempotentRequest,
  lock: string,
  answer: StoredAnswer,
): Promise<void> {
  await db.query({
    name: 'complete-idempotency-key',
    text: `update idempotency_keys set status = $4, headers = $5, body = $6
           where account_id = $1 and key = $2 and locked_until = $3::timestamptz and status is null`,
    values: [accountId, key, lock, answer.status, JSON.stringify(answer.headers), answer.body],
  })
}

/** Saves a checkpoint for the request that takes the key over, unless one already has. */
export async function saveCheckpoint(
  db: Db,
  { accountId, key }: IdempotentRequest,
  lock: string,
  begun: string,
): Promise<void> {
  await db.query({
    name: 'note-begun',
    text: `update idempotency_keys set body = $4
           where account_id = $1 and key = $2 and locked_until = $3::timestamptz and status is null`,
    values: [accountId, key, lock, begun],
  })
}

/**
 * Releases the key: the request had no result worth repeating. If it saved a checkpoint, only the same request may
 * continue, at once.
 */
export async function releaseKey(
  db: Pool,
  { accountId, key }: IdempotentRequest,
  lock: string,
): Promise<void> {
  await db.query({
    name: 'release-idempotency-key',
    text: `with begun as (
             update idempotency_keys set locked_until = now()
             where account_id = $1 and key = $2 and locked_until = $3::timestamptz and status is null
               and body is not null)
           delete from idempotency_keys
           where account_id = $1 and key = $2 and locked_until = $3::timestamptz and status is null
             and body is null`,
    values: [accountId, key, lock],
  })
}

/** Deletes keys older than 72 hours, a batch at a time; returns their number. */
export function purgeOldKeys(db: Pool): Promise<number> {
  return purgeExpired(db, 'idempotency_keys', `${KEPT_HOURS} hours`)
}

/**
 * The first request is most likely alive and finishes in a few seconds; if it can no longer be alive, the retry waits
 * for its lock to expire.
 */
function pauseOf({ seconds_left: left }: KeyRow): number {
  const isDead = left <= LOCK_SECONDS - LONGEST_REQUEST_SECONDS
  return Math.max(1, isDead ? left : Math.min(left, PAUSE_SECONDS))
}

type KeyRow = {
  fingerprint: Buffer
  status: number | null
  headers: Record<string, string> | null
  body: string | null
  seconds_left: number
}

// `locked_until` doubles as the claim's name: its text keeps the microseconds. Until there is a response, `body` holds
// the checkpoint.
const CLAIM = `
insert into idempotency_keys as held (account_id, key, fingerprint, locked_until)
values ($1, $2, $3, clock_timestamp() + interval '${LOCK_SECONDS} seconds')
on conflict (account_id, key) do update set
  fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, created_at = now(),
  body = case when held.created_at >= now() - interval '${KEPT_HOURS} hours' then held.body end,
  status = null, headers = null, delivery_id = null
where held.created_at < now() - interval '${KEPT_HOURS} hours'
   or (held.status is null and held.locked_until < now() and held.fingerprint = excluded.fingerprint)
returning locked_until::text as lock, body as begun`

const TIMES = `select clock_timestamp()::text as at, (clock_timestamp() + interval '${LOCK_SECONDS} seconds')::text as lock,
  (now() - interval '${KEPT_HOURS} hours')::text as cutoff`

const CLAIM_AT = `
insert into idempotency_keys as held (account_id, key, fingerprint, locked_until, created_at)
values ($1, $2, $3, $4::timestamptz, $5::timestamptz)
on conflict (account_id, key) do update set
  fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, created_at = excluded.created_at,
  body = case when held.created_at >= $6::timestamptz then held.body end,
  status = null, headers = null, delivery_id = null
where held.created_at < $6::timestamptz
   or (held.status is null and held.locked_until < $5::timestamptz and held.fingerprint = excluded.fingerprint)
returning body as begun`

const FREE = `
delete from idempotency_keys where account_id = $1 and key = $2
  and (created_at < now() - interval '${KEPT_HOURS} hours'
    or (status is null and locked_until < now() and fingerprint = $3 and delivery_id is null))`

const READ = `
select fingerprint, status, headers, body, ceil(extract(epoch from locked_until - now()))::int as seconds_left
from idempotency_keys where account_id = $1 and key = $2 and created_at >= now() - interval '${KEPT_HOURS} hours'`
