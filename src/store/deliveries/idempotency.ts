import type { Pool } from 'pg'
import type { Db } from '../db/db.ts'
import { purgeExpired } from '../db/purge-expired.ts'

/** An answer as it went out, to be given again byte for byte. */
export type StoredAnswer = { status: number; headers: Record<string, string>; body: string }

export type IdempotentRequest = { accountId: string; key: string; fingerprint: Buffer }

/**
 * `claimed`: ours to answer, under `lock`; `begun` is what its last request noted before it died or could not answer.
 * The others say why it is not.
 */
export type Claim = { kind: 'claimed'; lock: string; begun: string | null } | TakenKey
export type TakenKey =
  | { kind: 'replay'; answer: StoredAnswer }
  | { kind: 'in_progress'; retryAfterSeconds: number }
  | { kind: 'reused' }

/** Longer than any request may take: a lock this old belongs to a process that died. */
export const LOCK_SECONDS = 60
/** A booking inside the request takes 8 s at most: whoever holds a lock for longer is dead. */
const LONGEST_REQUEST_SECONDS = 10
const PAUSE_SECONDS = 5
/** Longer than a weekend's outage of a client. */
export const KEPT_HOURS = 72

/**
 * Takes the key for this request, or says who has it. A key older than 72 hours is free again; one whose
 * first request died half way is taken over by a request with the same fingerprint.
 */
export async function claimKey(db: Pool, { accountId, key, fingerprint }: IdempotentRequest): Promise<Claim> {
  const claimed = await db.query<{ lock: string; begun: string | null }>({
    name: 'claim-idempotency-key',
    text: CLAIM,
    values: [accountId, key, fingerprint],
  })
  const [row] = claimed.rows
  if (row) return { kind: 'claimed', ...row }
  // A key given back in between: the caller may try again at once.
  return (await readKey(db, { accountId, key, fingerprint })) ?? { kind: 'in_progress', retryAfterSeconds: 1 }
}

/** What a taken key stands for; null when it is free. */
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
 * Forgets what stands under a key that `claimKey` would take over, for those who write the key with their work.
 * False: nothing was forgotten. A delivery that was made under it is kept for its answer.
 */
export async function freeKey(db: Db, { accountId, key, fingerprint }: IdempotentRequest): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'free-idempotency-key',
    text: FREE,
    values: [accountId, key, fingerprint],
  })
  return rowCount === 1
}

/** Stores the answer, unless another request has meanwhile taken the key over. */
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

/** Notes how far the work has come, for whoever takes the key over; unless another request has done so already. */
export async function noteBegun(
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
 * Gives the key back: the request came to nothing that is worth repeating. Where work was begun under it, only the same
 * request may take it up again, at once.
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

/** Forgets keys older than 72 hours, a batch at a time; answers how many. */
export function forgetOldKeys(db: Pool): Promise<number> {
  return purgeExpired(db, 'idempotency_keys', `${KEPT_HOURS} hours`)
}

/** The first request most likely lives and is done in a few seconds; when it no longer can, its lock has to end. */
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

// `locked_until` doubles as the claim's name: its text keeps the microseconds. Until there is an answer, `body` holds
// what was noted of the work.
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

const FREE = `
delete from idempotency_keys where account_id = $1 and key = $2
  and (created_at < now() - interval '${KEPT_HOURS} hours'
    or (status is null and locked_until < now() and fingerprint = $3 and delivery_id is null))`

const READ = `
select fingerprint, status, headers, body, ceil(extract(epoch from locked_until - now()))::int as seconds_left
from idempotency_keys where account_id = $1 and key = $2 and created_at >= now() - interval '${KEPT_HOURS} hours'`
