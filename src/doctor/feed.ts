import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import { madeAt } from '../store/db/id-times.ts'
import { good, wrong } from './finding.ts'

/** Workers publish events every second. */
const UNPUBLISHED_SECONDS = 10

/**
 * An event appears in the feed and in webhooks once it has its place; workers assign places, and so do
 * readers of the feed.
 */
export async function checkFeed(db: Pool): Promise<Finding> {
  const { rows } = await db.query<{ accounts: string[] | null; seconds: number | null }>(
    `select array_agg(account_id order by account_id) as accounts, max(age_s)::int as seconds
     from (
       select a.account_id, extract(epoch from now() - ${madeAt('e.event_id')}) as age_s
       from accounts as a cross join lateral (
         select event_id from events
         where account_id = a.account_id and place is null order by position limit 1) as e) as oldest
     where age_s > $1`,
    [UNPUBLISHED_SECONDS],
  )
  const { accounts, seconds } = rows[0] ?? { accounts: null, seconds: null }
  if (!accounts) return good('events', 'Every event that was written is published.')
  return wrong(
    'events',
    `Events of ${accounts.join(', ')} are not published: the oldest was written ${seconds} s ago. Webhooks do not send them.`,
    'Is a worker running? drover start, or drover worker',
  )
}
