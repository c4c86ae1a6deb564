import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import { good, note, wrong } from './finding.ts'

/** Workers claim due work within a second or two; after this long, something is wrong. */
const OVERDUE_MINUTES = 5
const NAMED = 3

type Found = { account_id: string; amount: number; names: string[] }

/** Finds work that is overdue, dead-lettered or waiting for a person. */
export async function checkWork(db: Pool): Promise<Finding[]> {
  const [deadLettered, overdue, held, orphans, updates, paused] = await Promise.all(
    [DEAD_LETTERED, OVERDUE, HELD, ORPHANS, DEAD_LETTERED_UPDATE, PAUSED].map(
      async (text) => (await db.query<Found>(text)).rows,
    ),
  )
  return [
    ...(deadLettered ?? []).map((found) =>
      wrong(
        'work',
        `${formatAmount(found, 'dead-lettered after attempts that never ended')}.`,
        `Read the log, then: drover delivery resume <reference> --account ${found.account_id}`,
      ),
    ),
    ...(overdue ?? []).map((found) =>
      wrong(
        'work',
        `${formatAmount(found, `due for more than ${OVERDUE_MINUTES} minutes`)}.`,
        'Is a worker running? drover start, or drover worker',
      ),
    ),
    ...(updates ?? []).map((found) =>
      wrong(
        'work',
        `${formatAmount(found, 'with a sandbox update that was rejected')}.`,
        'Read the log for the reason.',
      ),
    ),
    ...(held ?? []).map((found) =>
      note(
        'on hold',
        `${formatAmount(found, 'on hold')}.`,
        `drover delivery list --account ${found.account_id} --client <client id> --status on_hold`,
      ),
    ),
    ...(orphans ?? []).map((found) =>
      note(
        'orphaned bookings',
        `${formatAmount(found, 'with an orphaned booking that its carrier has not cancelled yet')}.`,
        'Drover asks the carrier for two days; a phone call may be quicker. The events of the delivery name the booking.',
      ),
    ),
    ...(paused ?? []).map((found) =>
      wrong(
        'webhooks',
        `${found.account_id}: ${found.amount} endpoints paused: ${found.names.join(', ')}.`,
        'Correct the receiver, then make the endpoint active again.',
      ),
    ),
    ...([deadLettered, overdue, updates].every((rows) => rows?.length === 0)
      ? [good('work', 'Nothing is dead-lettered or overdue.')]
      : []),
  ]
}

function formatAmount({ account_id, amount, names }: Found, what: string): string {
  const rest = amount > names.length ? ', …' : ''
  return `${account_id}: ${amount} ${amount === 1 ? 'delivery' : 'deliveries'} ${what} (${names.join(', ')}${rest})`
}

const grouped = (from: string, name: string, where: string): string =>
  `select account_id, count(*)::int as amount, (array_agg(${name} order by ${name}))[1:${NAMED}] as names
   from ${from} where ${where} group by account_id order by account_id`

const DEAD_LETTERED = grouped(
  'deliveries',
  'reference',
  `dead_lettered_at is not null and status not in ('delivered', 'returned', 'cancelled')`,
)
const HELD = grouped('deliveries', 'reference', `status = 'on_hold'`)
const ORPHANS = grouped(
  'orphaned_bookings as s join deliveries as d using (account_id, delivery_id)',
  'd.reference',
  's.due_at is not null',
)
const DEAD_LETTERED_UPDATE = grouped(
  'sandbox_consignments',
  'merchant_reference',
  'dead_lettered_at is not null',
)
const PAUSED = grouped('webhook_endpoints', 'url', `paused_at is not null and paused_reason is not null`)
/** Due times are in account time. */
const OVERDUE = grouped(
  'deliveries join accounts using (account_id)',
  'reference',
  `due_at < now() + clock_offset_ms * interval '1 millisecond' - interval '${OVERDUE_MINUTES} minutes'
   and (lease_until is null or lease_until < now())`,
)
