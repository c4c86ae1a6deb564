import type { Pool } from 'pg'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { type Db, instant } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'
import { purgeExpired } from '../db/purge-expired.ts'
import {
  countCodeAttemptOnCitus,
  exchangeCodesOnCitus,
  setDriverCodesOnCitus,
  useDriverSessionOnCitus,
} from './driver-access-on-citus.ts'

/** Accounts that have this phone as a courier's, of those given, by name. */
export async function listAccountsOfDriver(
  db: Db,
  accountIds: readonly string[],
  phone: string,
): Promise<{ accountId: string; storeId: string }[]> {
  const { rows } = await db.query<{ accountId: string; storeId: string }>({
    name: 'list-accounts-of-driver',
    text: `select s.account_id as "accountId", min(s.store_id) as "storeId"
      from unnest($1::text[]) as a(account_id) join staff_couriers as s using (account_id)
      where s.phone = $2 and s.active group by s.account_id order by s.account_id`,
    values: [accountIds, phone],
  })
  return rows
}

/** A code of one account. Its nonce is the id of the message that carries it. */
export type NewDriverCode = {
  accountId: string
  storeId: string
  nonce: string
  /** `{code}` stands for the code until it is sent. */
  body: string
  /** Account time. */
  atMs: number
}

/**
 * Sets a new code for the phone in each of these accounts and queues their SMS, in one statement. Skips an account
 * in which the phone is no courier's. Codes an hour were counted before, for the phone.
 */
export async function setDriverCodes(
  db: Pool,
  { phone, lifeMs }: { phone: string; lifeMs: number },
  codes: readonly NewDriverCode[],
): Promise<void> {
  if (engineOf(db) === 'citus')
    return setDriverCodesOnCitus(db, { phone, lifeMs }, codes, currentTraceparent())
  const column = (pick: (code: NewDriverCode) => unknown): unknown[] => codes.map(pick)
  await db.query({
    name: 'set-driver-codes',
    text: `with new as (
        select * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
          as n(account_id, store_id, nonce, body, at)
      ), coded as (
        insert into driver_codes as c (account_id, phone, nonce, expires_at)
        select account_id, $1, nonce, now() + $2 * interval '1 millisecond' from new
        where account_id in (select s.account_id from staff_couriers as s
          where s.account_id = any($3) and s.phone = $1 and s.active)
        -- Everybody in one order, so that no two requests wait for each other.
        order by account_id
        on conflict (account_id, phone) do update
        set nonce = excluded.nonce, expires_at = excluded.expires_at, attempts = 0, used_at = null
        returning account_id)
      insert into messages (account_id, message_id, kind, recipient, template, store_id, body, status,
        created_at, expires_at, due_at, traceparent)
      select new.account_id, new.nonce, 'sms', $1, 'driver_code', new.store_id, new.body, 'queued', new.at,
        new.at + $2 * interval '1 millisecond', new.at, $8 from coded join new using (account_id)`,
    values: [
      phone,
      lifeMs,
      column((code) => code.accountId),
      column((code) => code.storeId),
      column((code) => code.nonce),
      column((code) => code.body),
      column((code) => instant(code.atMs)),
      currentTraceparent(),
    ],
  })
}

/** The code of one account that may be tried. */
export type OpenDriverCode = { accountId: string; nonce: string }
export type TriedDriverCode = OpenDriverCode & { isRight: boolean }

/** Counts a try at each open code of the phone before anything is compared, so that no crash gives one away. */
export async function countCodeAttempt(
  db: Db,
  accountIds: readonly string[],
  phone: string,
  max: number,
): Promise<OpenDriverCode[]> {
  if (engineOf(db) === 'citus') return countCodeAttemptOnCitus(db, accountIds, phone, max)
  const { rows } = await db.query<OpenDriverCode>({
    name: 'count-code-attempt',
    text: `with open as (
        select account_id, phone from driver_codes
        where account_id = any($1) and phone = $2 and attempts < $3 and used_at is null and expires_at > now()
        order by account_id for update)
      update driver_codes as c set attempts = attempts + 1 from open
      where c.account_id = open.account_id and c.phone = open.phone
      returning c.account_id as "accountId", c.nonce`,
    values: [accountIds, phone, max],
  })
  return rows
}

/** The driver's session so far: the new one holds for its accounts too, for as long as it would have. */
export type OlderSession = { accountIds: readonly string[]; tokenHash: Buffer }

/**
 * Turns right codes into a session of their accounts and of those that the driver's older session holds, in one
 * statement; the older one is over. The other codes get their attempt back: a courier of six accounts sends six right
 * codes. False: a code was used already, by a request at the same time.
 */
export async function exchangeCodes(
  db: Pool,
  { phone, codes }: { phone: string; codes: readonly TriedDriverCode[] },
  session: { tokenHash: Buffer; lifeMs: number },
  older: OlderSession | null,
): Promise<boolean> {
  if (engineOf(db) === 'citus') return exchangeCodesOnCitus(db, { phone, codes }, session, older)
  const { rowCount } = await db.query({
    name: 'exchange-driver-codes',
    text: `with given as (select * from unnest($1::text[], $2::text[], $8::boolean[]) as g(account_id, nonce, is_right)),
      open as (
        select c.account_id, c.phone, given.is_right from driver_codes as c join given using (account_id, nonce)
        where c.phone = $3 and c.used_at is null order by c.account_id for update of c
      ), changed as (
        update driver_codes as c
        set used_at = case when open.is_right then now() end, attempts = c.attempts - (not open.is_right)::int
        from open where c.account_id = open.account_id and c.phone = open.phone
          and exists (select from open where is_right)
        returning c.account_id, open.is_right
      ), used as (select account_id from changed where is_right
      ), older as (
        delete from driver_sessions
        where account_id = any($6::text[]) and token_hash = $7::bytea and phone = $3 and exists (select from used)
        returning account_id, expires_at)
      insert into driver_sessions (account_id, token_hash, phone, expires_at, own_code)
      select account_id, $4::bytea, $3::text, now() + $5 * interval '1 millisecond', true from used
      union all
      select account_id, $4::bytea, $3::text, expires_at, true from older
      where expires_at > now() and exists (select from used) and account_id not in (select account_id from used)`,
    values: [
      codes.map(({ accountId }) => accountId),
      codes.map(({ nonce }) => nonce),
      phone,
      session.tokenHash,
      session.lifeMs,
      older?.accountIds ?? [],
      older?.tokenHash ?? Buffer.alloc(0),
      codes.map(({ isRight }) => isRight),
    ],
  })
  return (rowCount ?? 0) > 0
}

/**
 * Whose session this is and for which of the accounts it still holds; null when for none. An older version opened all
 * accounts of a session with the code of one: of those sessions only the ones of a single account hold. Uses it: at most once
 * a minute the row and the courier are marked as seen, `seenAtMs` (account time) for each account.
 */
export async function useDriverSession(
  db: Db,
  token: { accountIds: readonly string[]; hash: Buffer; idleMs: number; namesOne: boolean },
  seenAtMs: readonly number[],
): Promise<{ phone: string; accountIds: string[] } | null> {
  const rows =
    engineOf(db) === 'citus'
      ? await useDriverSessionOnCitus(db, token, seenAtMs)
      : await useOfAll(db, token, seenAtMs)
  const [first] = rows
  return first ? { phone: first.phone, accountIds: rows.map(({ accountId }) => accountId) } : null
}

async function useOfAll(
  db: Db,
  token: { accountIds: readonly string[]; hash: Buffer; idleMs: number; namesOne: boolean },
  seenAtMs: readonly number[],
): Promise<{ phone: string; accountId: string }[]> {
  const { rows } = await db.query<{ phone: string; accountId: string }>({
    name: 'use-driver-session',
    text: `with held as (
        select s.account_id, s.phone, s.used_at < now() - interval '1 minute' as is_due,
          a.seen_at, a.seen_at - interval '1 minute' as seen_from
        from unnest($1::text[], $4::timestamptz[]) as a(account_id, seen_at)
        join driver_sessions as s using (account_id)
        where s.token_hash = $2 and s.expires_at > now() and s.used_at > now() - $3 * interval '1 millisecond'
          and (s.own_code or $5)
          and exists (select from staff_couriers as c
            where c.account_id = s.account_id and c.phone = s.phone and c.active)
      ), touched as (
        update driver_sessions as s set used_at = now() from held
        where s.account_id = held.account_id and s.token_hash = $2 and held.is_due
      ), seen as (
        update staff_couriers as c set last_seen_at = held.seen_at from held
        where c.account_id = held.account_id and c.phone = held.phone and c.active
          and (c.last_seen_at is null or c.last_seen_at not between held.seen_from and held.seen_at)
      )
      select phone, account_id as "accountId" from held order by account_id`,
    values: [token.accountIds, token.hash, token.idleMs, seenAtMs.map(instant), token.namesOne],
  })
  return rows
}

/** Answers whose it was, and the first of its accounts; null for none. */
export async function endDriverSession(
  db: Db,
  accountIds: readonly string[],
  hash: Buffer,
): Promise<{ accountId: string; phone: string } | null> {
  const { rows } = await db.query<{ accountId: string; phone: string }>({
    name: 'end-driver-session',
    text: `delete from driver_sessions where account_id = any($1) and token_hash = $2
      returning account_id as "accountId", phone`,
    values: [accountIds, hash],
  })
  return rows.find(({ accountId }) => accountId === accountIds[0]) ?? rows[0] ?? null
}

/** Forgets sessions and codes that are over, a batch at a time; answers how many. */
export async function purgeOldDriverAccess(db: Db): Promise<number> {
  const sessions = await purgeExpired(db, 'driver_sessions', '0')
  return sessions + (await purgeExpired(db, 'driver_codes', '1 hour'))
}
