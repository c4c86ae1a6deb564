import type { Db } from '../db/db.ts'
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
 * ceiling is given back, so that a ceiling that is raised holds at once.
 */
export async function takeSmsOfDay(
  db: Db,
  { accountId, zone, amount, maxPerDay }: SmsOfDay,
): Promise<number> {
  const { rows } = await db.query<{ sent: number; day: string }>({
    name: 'take-sms-of-day',
    text: `insert into sms_days as d (account_id, day, sent) values ($1, (now() at time zone $2)::date, $3)
      on conflict (account_id, day) do update set sent = d.sent + excluded.sent
      returning sent, day::text`,
    values: [accountId, zone, amount],
  })
  const { sent = 0, day = '' } = rows[0] ?? {}
  const beyond = Math.min(amount, Math.max(0, sent - maxPerDay))
  if (beyond === 0) return amount
  await db.query({
    name: 'give-back-sms-of-day',
    text: `update sms_days set sent = sent - $3, reached_at = least(reached_at, now())
      where account_id = $1 and day = $2::date`,
    values: [accountId, day, beyond],
  })
  return amount - beyond
}

/** Forgets days that nobody looks at any more, a batch at a time; answers how many. */
export async function purgeOldSmsDays(db: Db): Promise<number> {
  return purgeExpired(db, 'sms_days', '31 days')
}
