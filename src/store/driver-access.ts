import { currentCause } from '../tracing/current.ts'
import { type Db, instant } from './deliveries.ts'
import { forgetOld } from './forget-old.ts'

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

/**
 * Sets a new code for the phone and queues its SMS, in one statement. Nothing happens when the phone has had
 * `most` codes within the hour, or is no courier's of the account.
 */
export async function setDriverCode(
  db: Db,
  code: {
    accountId: string
    storeId: string
    phone: string
    nonce: string
    lifeMs: number
    most: number
    /** `{code}` stands for the code until it is sent. Account time. */
    message: { id: string; body: string; atMs: number }
  },
): Promise<void> {
  await db.query({
    name: 'set-driver-code',
    text: `with coded as (
        insert into driver_codes as c (account_id, phone, nonce, expires_at)
        select $1, $2, $3, now() + $4 * interval '1 millisecond'
        where exists (select from staff_couriers where account_id = $1 and phone = $2 and active)
        on conflict (account_id, phone) do update
        set nonce = excluded.nonce, expires_at = excluded.expires_at, tries = 0, used_at = null,
          asked = case when c.hour_from < now() - interval '1 hour' then 1 else c.asked + 1 end,
          hour_from = case when c.hour_from < now() - interval '1 hour' then now() else c.hour_from end
        where c.asked < $5 or c.hour_from < now() - interval '1 hour'
        returning account_id)
      insert into messages (account_id, message_id, kind, recipient, template, store_id, body, status,
        created_at, not_after, due_at, cause)
      select $1, $6, 'sms', $2, 'driver_code', $7, $8, 'queued', $9,
        $9::timestamptz + $4 * interval '1 millisecond', $9, $10 from coded`,
    values: [
      code.accountId,
      code.phone,
      code.nonce,
      code.lifeMs,
      code.most,
      code.message.id,
      code.storeId,
      code.message.body,
      instant(code.message.atMs),
      currentCause(),
    ],
  })
}

/** Counts a try before anything is compared, so that no crash gives one away. Null: there is nothing to try. */
export async function countCodeTry(
  db: Db,
  accountId: string,
  phone: string,
  most: number,
): Promise<string | null> {
  const { rows } = await db.query<{ nonce: string }>({
    name: 'count-code-try',
    text: `update driver_codes set tries = tries + 1
      where account_id = $1 and phone = $2 and tries < $3 and used_at is null and expires_at > now()
      returning nonce`,
    values: [accountId, phone, most],
  })
  return rows[0]?.nonce ?? null
}

/**
 * Turns a right code into a session of each of the driver's accounts, in one statement. False: the code was used
 * already, by a request at the same time.
 */
export async function exchangeCode(
  db: Db,
  code: { accountId: string; phone: string; nonce: string },
  session: { accountIds: readonly string[]; tokenHash: Buffer; lifeMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'exchange-driver-code',
    text: `with used as (
        update driver_codes set used_at = now()
        where account_id = $1 and phone = $2 and nonce = $3 and used_at is null returning phone)
      insert into driver_sessions (account_id, token_hash, phone, expires_at)
      select account_id, $5, used.phone, now() + $6 * interval '1 millisecond'
      from used cross join unnest($4::text[]) as a(account_id)`,
    values: [code.accountId, code.phone, code.nonce, session.accountIds, session.tokenHash, session.lifeMs],
  })
  return (rowCount ?? 0) > 0
}

/**
 * Whose session this is and for which of the accounts it still holds; null when for none. Uses it: at most once
 * a minute the row and the courier are marked as seen, `seenAtMs` (account time) for each account.
 */
export async function useDriverSession(
  db: Db,
  token: { accountIds: readonly string[]; hash: Buffer; idleMs: number },
  seenAtMs: readonly number[],
): Promise<{ phone: string; accountIds: string[] } | null> {
  const { rows } = await db.query<{ phone: string; accountId: string }>({
    name: 'use-driver-session',
    text: `with held as (
        select s.account_id, s.phone, s.used_at, a.seen_at
        from unnest($1::text[], $4::timestamptz[]) as a(account_id, seen_at)
        join driver_sessions as s using (account_id)
        where s.token_hash = $2 and s.expires_at > now() and s.used_at > now() - $3 * interval '1 millisecond'
          and exists (select from staff_couriers as c
            where c.account_id = s.account_id and c.phone = s.phone and c.active)
      ), touched as (
        update driver_sessions as s set used_at = now() from held
        where s.account_id = held.account_id and s.token_hash = $2 and held.used_at < now() - interval '1 minute'
      ), seen as (
        update staff_couriers as c set last_seen_at = held.seen_at from held
        where c.account_id = held.account_id and c.phone = held.phone and c.active
          and (c.last_seen_at is null or held.seen_at not between c.last_seen_at and c.last_seen_at + interval '1 minute')
      )
      select phone, account_id as "accountId" from held order by account_id`,
    values: [token.accountIds, token.hash, token.idleMs, seenAtMs.map(instant)],
  })
  const [first] = rows
  return first ? { phone: first.phone, accountIds: rows.map(({ accountId }) => accountId) } : null
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
export async function forgetOldDriverAccess(db: Db): Promise<number> {
  const sessions = await forgetOld(db, 'driver_sessions', '0')
  return sessions + (await forgetOld(db, 'driver_codes', '1 hour'))
}
