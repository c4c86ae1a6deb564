import type { Pool } from 'pg'
import { batched, type PendingCall } from '../db/batching.ts'
import type { Db } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'
import { purgeExpired } from '../db/purge-expired.ts'

/** A number of SMS that one account is about to send. */
export type SmsOfDay = {
  accountId: string
  /** The account's: its day is counted by the wall clock. */
  zone: string
  amount: number
  maxPerDay: number
}

/**
 * Takes SMS from the account's day, for all processes together; answers how many of them may go out. What is beyond the
 * ceiling is given back, so that a ceiling that is raised holds at once. Batching: calls of about the same time share a
 * statement.
 */
export function takeSmsOfDay(db: Pool, taken: SmsOfDay): Promise<number> {
  let take = takers.get(db)
  if (!take) {
    take = batched((calls) => takeTogether(db, calls))
    takers.set(db, take)
  }
  return take(taken)
}

const takers = new WeakMap<Pool, (taken: SmsOfDay) => Promise<number>>()

type Call = PendingCall<SmsOfDay, number>
/** The SMS that an account has sent on its day, with those of the calls. */
type Day = { account_id: string; sent: number; day: string }

async function takeTogether(db: Pool, calls: readonly Call[]): Promise<void> {
  const byAccount = Map.groupBy(calls, ({ given }) => given.accountId)
  try {
    const days = await addToDays(
      db,
      [...byAccount].map(([accountId, some]) => ({
        accountId,
        zone: (some[0] as Call).given.zone,
        amount: some.reduce((sum, { given }) => sum + given.amount, 0),
      })),
    )
    for (const day of days) await answerCalls(db, day, byAccount.get(day.account_id) ?? [])
  } catch (error) {
    for (const { reject } of calls) reject(error)
  }
}

/** One call after the other, as if each had a statement of its own. */
async function answerCalls(db: Db, { account_id, day, sent }: Day, calls: readonly Call[]): Promise<void> {
  let before = sent - calls.reduce((sum, { given }) => sum + given.amount, 0)
  let beyondAll = 0
  for (const { given, resolve } of calls) {
    const beyond = Math.min(given.amount, Math.max(0, before + given.amount - given.maxPerDay))
    before += given.amount - beyond
    beyondAll += beyond
    resolve(given.amount - beyond)
  }
  if (beyondAll === 0) return
  await db.query({
    name: 'give-back-sms-of-day',
    text: `update sms_days set sent = sent - $3, reached_at = least(reached_at, now())
      where account_id = $1 and day = $2::date`,
    values: [account_id, day, beyondAll],
  })
}

type Added = Omit<SmsOfDay, 'maxPerDay'>

async function addToDays(db: Db, added: readonly Added[]): Promise<Day[]> {
  if (engineOf(db) !== 'citus') {
    const { rows } = await db.query<Day>({
      name: 'take-sms-of-days',
      // In one order: two processes that add to the same accounts do not deadlock.
      text: `insert into sms_days as d (account_id, day, sent)
        select account_id, (now() at time zone zone)::date, amount
        from unnest($1::text[], $2::text[], $3::integer[]) as a(account_id, zone, amount) order by account_id
        on conflict (account_id, day) do update set sent = d.sent + excluded.sent
        returning account_id, sent, day::text`,
      values: [
        added.map(({ accountId }) => accountId),
        added.map(({ zone }) => zone),
        added.map(({ amount }) => amount),
      ],
    })
    return rows
  }
  const days: Day[] = []
  for (const { accountId, zone, amount } of added) {
    const { rows } = await db.query<Day>({
      name: 'take-sms-of-day',
      text: `insert into sms_days as d (account_id, day, sent) values ($1, (now() at time zone $2)::date, $3)
        on conflict (account_id, day) do update set sent = d.sent + excluded.sent
        returning account_id, sent, day`,
      values: [accountId, zone, amount],
    })
    days.push(...rows)
  }
  return days
}

/** Forgets days that nobody looks at any more, a batch at a time; answers how many. */
export async function purgeOldSmsDays(db: Db): Promise<number> {
  return purgeExpired(db, 'sms_days', '31 days')
}
