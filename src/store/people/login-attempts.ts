import { INSTALLATION } from '../../domain/people/user.ts'
import type { Db } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'

/**
 * Counts a try under each name before anything is compared, so that no crash and no haste gives one away. Answers how
 * often each was tried in the window that runs, and in how many seconds that ends.
 */
export async function countAttempts(
  db: Db,
  names: readonly Buffer[],
  windowMs: number,
): Promise<{ attempts: number; seconds: number }[]> {
  const { rows } = await db.query<{ name: Buffer; attempts: number; seconds: number }>({
    name: 'count-login-attempts',
    text: `insert into login_attempts as t (account_id, name, attempts, ends_at)
      select $1, name, 1, now() + $3 * interval '1 millisecond' from unnest($2::bytea[]) as n(name)
      -- Everybody in one order, so that nobody waits for each other.
      order by name
      on conflict (account_id, name) do update
      set attempts = case when t.ends_at < now() then 1 else t.attempts + 1 end,
        ends_at = case when t.ends_at < now() then excluded.ends_at else t.ends_at end
      returning name, attempts, ceil(extract(epoch from ends_at - now()))::int as seconds`,
    values: [INSTALLATION, names, windowMs],
  })
  return names.map((name) => rows.find((row) => row.name.equals(name)) ?? { attempts: 0, seconds: 0 })
}

/**
 * Notes a failed login at the users of this address in these accounts. The row of `name`, which every try has, is
 * written too: so the statement waits for PostgreSQL's log whether or not anybody has the address.
 */
export async function recordFailedLogin(
  db: Db,
  { accountIds, email }: { accountIds: readonly string[]; email: string },
  name: Buffer,
): Promise<void> {
  if (engineOf(db) === 'citus') {
    // The attempts are on the coordinator, the users on the workers.
    await db.query({
      name: 'record-failed-login-of-user',
      text: FAILED('$1', '$2'),
      values: [accountIds, email],
    })
    await db.query({ name: 'touch-login-attempts', text: TOUCH, values: [INSTALLATION, name] })
    return
  }
  await db.query({
    name: 'record-failed-login',
    text: `with failed as (${FAILED('$3', '$4')}) ${TOUCH}`,
    values: [INSTALLATION, name, accountIds, email],
  })
}

const FAILED = (accountIds: string, email: string) =>
  `update users set failed_logins = least(failed_logins, 999999) + 1, last_failed_login_at = now()
    where account_id = any(${accountIds}::text[]) and email = ${email}`
const TOUCH = 'update login_attempts set attempts = attempts where account_id = $1 and name = $2'

/** Every try under this name is forgotten. */
export async function clearAttempts(db: Db, name: Buffer): Promise<void> {
  await db.query({
    name: 'forget-login-attempts',
    text: 'delete from login_attempts where account_id = $1 and name = $2',
    values: [INSTALLATION, name],
  })
}

/**
 * The caller's turn under a name, in milliseconds from now: turns are `gapMs` apart, whichever process hands them out.
 * If it would be later than `maxMs`, no turn is taken.
 */
export async function takeTurn(
  db: Db,
  name: Buffer,
  { gapMs, maxMs }: { gapMs: number; maxMs: number },
): Promise<{ waitMs: number; isTaken: boolean }> {
  const { rows } = await db.query<{ waitMs: number }>({
    name: 'take-login-turn',
    // ends_at is when the next turn is: the row is forgotten after it.
    text: `insert into login_attempts as t (account_id, name, attempts, ends_at)
      values ($1, $2, 1, now() + $3 * interval '1 millisecond')
      on conflict (account_id, name) do update
      set attempts = t.attempts + 1, ends_at = greatest(t.ends_at, now()) + $3 * interval '1 millisecond'
      where t.ends_at <= now() + $4 * interval '1 millisecond'
      returning greatest(0, extract(epoch from ends_at - now()) * 1000 - $3)::int as "waitMs"`,
    values: [INSTALLATION, name, gapMs, maxMs],
  })
  return rows[0] ? { waitMs: rows[0].waitMs, isTaken: true } : { waitMs: maxMs, isTaken: false }
}

/** The try counts against neither name; with `all` every try under the first is forgotten. */
export async function refundAttempts(
  db: Db,
  [own, shared]: readonly [own: Buffer, shared: Buffer],
  refunded: 'all' | 'own',
): Promise<void> {
  await db.query({
    name: 'refund-login-attempts',
    // Both rows are locked in the order in which attempts are counted: otherwise a count and a refund could
    // deadlock. Citus returns no rows if a CTE’s condition is a constant false: hence `is_all`.
    text: `with held as (
        select name, $4::boolean as is_all from login_attempts
        where account_id = $1 and name in ($2, $3) order by name for update
      ), forgotten as (
        delete from login_attempts as t using held
        where held.is_all and t.account_id = $1 and t.name = $2 and held.name = t.name)
      update login_attempts as t set attempts = greatest(t.attempts - 1, 0)
      from held where t.account_id = $1 and held.name = t.name and (t.name = $3 or not held.is_all)`,
    values: [INSTALLATION, own, shared, refunded === 'all'],
  })
}
