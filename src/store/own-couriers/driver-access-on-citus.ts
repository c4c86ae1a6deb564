import type { Pool } from 'pg'
import { type Db, instant } from '../db/db.ts'
import { withTransaction } from '../db/pool.ts'
import type { NewDriverCode, OlderSession, OpenDriverCode, TriedDriverCode } from './driver-access.ts'

/*
 * Several accounts may have the same driver's phone number. Citus rejects these statements if they change rows of
 * several accounts, so this file runs each of them once for each account. Statements that belong together share a
 * transaction, which Citus commits on all nodes or on none.
 */

/**
 * Sends both statements even if no account has the phone number, so their count does not reveal whether one does. The
 * count may still reveal that several accounts have it.
 */
export function setDriverCodesOnCitus(
  db: Pool,
  { phone, lifeMs }: { phone: string; lifeMs: number },
  codes: readonly NewDriverCode[],
  traceparent: string | null,
): Promise<void> {
  return withTransaction(db, async (client) => {
    for (const { accountId, storeId, nonce, body, atMs } of inOrder(codes)) {
      await client.query({
        name: 'set-driver-code',
        text: `insert into driver_codes as c (account_id, phone, nonce, expires_at)
          select s.account_id, s.phone, $3::text, now() + $4 * interval '1 millisecond' from staff_couriers as s
          where s.account_id = $1 and s.phone = $2 and s.active group by s.account_id, s.phone
          on conflict (account_id, phone) do update
          set nonce = excluded.nonce, expires_at = excluded.expires_at, attempts = 0, used_at = null`,
        values: [accountId, phone, nonce, lifeMs],
      })
      await client.query({
        name: 'queue-driver-code',
        text: `insert into messages (account_id, message_id, kind, recipient, template, store_id, body, status,
            created_at, expires_at, due_at, traceparent)
          select c.account_id, c.nonce, 'sms', c.phone, 'driver_code', $4::text, $5::text, 'queued',
            $6::timestamptz, $7::timestamptz, $6::timestamptz, $8::text
          from driver_codes as c where c.account_id = $1 and c.nonce = $2 and c.phone = $3`,
        values: [accountId, nonce, phone, storeId, body, instant(atMs), instant(atMs + lifeMs), traceparent],
      })
    }
  })
}

export async function countCodeAttemptOnCitus(
  db: Db,
  accountIds: readonly string[],
  phone: string,
  max: number,
): Promise<OpenDriverCode[]> {
  const open: OpenDriverCode[] = []
  for (const accountId of accountIds) {
    const { rows } = await db.query<OpenDriverCode>({
      name: 'count-code-attempt-of-account',
      text: `update driver_codes set attempts = attempts + 1
        where account_id = $1 and phone = $2 and attempts < $3 and used_at is null and expires_at > now()
        returning account_id as "accountId", nonce`,
      values: [accountId, phone, max],
    })
    open.push(...rows)
  }
  return open
}

export function exchangeCodesOnCitus(
  db: Pool,
  { phone, codes }: { phone: string; codes: readonly TriedDriverCode[] },
  { tokenHash, lifeMs }: { tokenHash: Buffer; lifeMs: number },
  older: OlderSession | null,
): Promise<boolean> {
  return withTransaction(db, async (client) => {
    const opened = new Set<string>()
    for (const { accountId, nonce, isRight } of inOrder(codes)) {
      // Citus rejects `now()` in a `case`.
      const { rowCount } = await client.query({
        name: isRight ? 'use-driver-code' : 'give-back-code-attempt',
        text: `update driver_codes set ${isRight ? 'used_at = now()' : 'attempts = attempts - 1'}
          where account_id = $1 and phone = $2 and nonce = $3 and used_at is null`,
        values: [accountId, phone, nonce],
      })
      if (rowCount === 1 && isRight) opened.add(accountId)
    }
    if (opened.size === 0) return false
    for (const accountId of opened)
      await client.query({
        name: 'open-driver-session',
        text: `insert into driver_sessions (account_id, token_hash, phone, expires_at, own_code)
          values ($1, $2, $3, now() + $4 * interval '1 millisecond', true)`,
        values: [accountId, tokenHash, phone, lifeMs],
      })
    for (const accountId of older?.accountIds ?? []) {
      const { rows } = await client.query<{ expiresAtMs: number }>({
        name: 'end-older-driver-session',
        text: `delete from driver_sessions where account_id = $1 and token_hash = $2 and phone = $3
          returning expires_at as "expiresAtMs"`,
        values: [accountId, older?.tokenHash, phone],
      })
      const [ended] = rows
      if (!ended || ended.expiresAtMs <= Date.now() || opened.has(accountId)) continue
      await client.query({
        name: 'renew-driver-session',
        text: `insert into driver_sessions (account_id, token_hash, phone, expires_at, own_code)
          values ($1, $2, $3, $4, true)`,
        values: [accountId, tokenHash, phone, instant(ended.expiresAtMs)],
      })
    }
    return true
  })
}

type Use = { accountIds: readonly string[]; hash: Buffer; idleMs: number; namesOne: boolean }

export async function useDriverSessionOnCitus(
  db: Db,
  token: Use,
  seenAtMs: readonly number[],
): Promise<{ phone: string; accountId: string }[]> {
  const held: { phone: string; accountId: string }[] = []
  for (const [index, accountId] of token.accountIds.entries()) {
    const { rows } = await db.query<{ phone: string; accountId: string }>({
      name: 'use-driver-session-of-account',
      text: USE_OF_ACCOUNT,
      values: [accountId, token.hash, token.idleMs, instant(seenAtMs[index] as number), token.namesOne],
    })
    held.push(...rows)
  }
  return held.sort((a, b) => (a.accountId < b.accountId ? -1 : 1))
}

const USE_OF_ACCOUNT = `with held as (
    select s.phone, s.used_at < now() - interval '1 minute' as is_due
    from driver_sessions as s
    where s.account_id = $1 and s.token_hash = $2 and s.expires_at > now()
      and s.used_at > now() - $3 * interval '1 millisecond' and (s.own_code or $5)
      and exists (select from staff_couriers as c where c.account_id = $1 and c.phone = s.phone and c.active)
  ), touched as (
    update driver_sessions as s set used_at = now() from held
    where s.account_id = $1 and s.token_hash = $2 and held.is_due
  ), seen as (
    update staff_couriers as c set last_seen_at = $4 from held
    where c.account_id = $1 and c.phone = held.phone and c.active
      and (c.last_seen_at is null or c.last_seen_at not between $4::timestamptz - interval '1 minute' and $4)
  )
  select phone, $1 as "accountId" from held`

/** Everybody in one order, so that no two requests wait for each other. */
function inOrder<Row extends { accountId: string }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => (a.accountId < b.accountId ? -1 : 1))
}
