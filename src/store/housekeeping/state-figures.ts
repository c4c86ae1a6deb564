import type { Db } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'
import { madeAt } from '../db/id-times.ts'
import { FIGURES_ON_CITUS } from './state-figures-on-citus.ts'

/** One figure of the whole installation, never of a customer: `name` is a source or a state, `mode` the accounts'. */
export type StateFigure = { figure: FigureName; mode: 'sandbox' | 'live'; name: string; value: number }

export type FigureName =
  | 'due'
  | 'due_oldest_s'
  | 'deliveries'
  | 'ended'
  | 'dead_lettered'
  | 'unanswered'
  | 'unanswered_oldest_s'
  | 'endpoints'
  | 'webhook_backlog'
  | 'unpublished_oldest_s'
  | 'sms_accounts'

/** Rows counted of one account at most: a million may be due, and the figures are read every few seconds. */
const MAX_COUNTED = 10_000

/**
 * Whether deliveries are on time and where work is stuck, in one statement that reads partial indexes and no history.
 * Rows are due in account time, as for claims.
 */
export async function readStateFigures(db: Db): Promise<StateFigure[]> {
  const text = engineOf(db) === 'citus' ? FIGURES_ON_CITUS : FIGURES
  const { rows } = await db.query<StateFigure>({ name: 'read-state-figures', text })
  return rows
}

export type SharedFigures = { figures: readonly StateFigure[]; ageS: number }

/** Processes compute the figures in turns: at most this often, and no more than a hundredth of the time. */
const KEPT_S = 10
const TIMES_DURATION = 100
/** Older figures are not reported while newer ones are computed. */
const STALE_S = 300
const LEASE_S = 30

/**
 * The figures that some process computed last, read from one row. If they are due again, this process computes them:
 * it reports the last ones meanwhile, unless they are stale. `report`: why they could not be computed.
 */
export async function readSharedStateFigures(
  db: Db,
  report: (error: unknown) => void,
): Promise<SharedFigures> {
  const { rows } = await db.query<SharedFigures & { mine: boolean }>({
    name: 'read-shared-state-figures',
    text: SHARED,
  })
  const { mine, ...shared } = rows[0] as SharedFigures & { mine: boolean }
  if (!mine) return shared
  const computing = computeShared(db)
  computing.catch(report)
  return shared.ageS > STALE_S ? { figures: await computing, ageS: 0 } : shared
}

async function computeShared(db: Db): Promise<StateFigure[]> {
  const startMs = performance.now()
  const figures = await readStateFigures(db)
  await db.query({
    name: 'keep-state-figures',
    text: `update state_figures set figures = $1, computed_at = now(), took_ms = $2, lease_until = '-infinity'`,
    values: [JSON.stringify(figures), Math.round(performance.now() - startMs)],
  })
  return figures
}

const SHARED = `with claimed as (
    update state_figures set lease_until = now() + interval '${LEASE_S} s'
    where lease_until < now()
      and computed_at < now() - greatest(interval '${KEPT_S} s', took_ms * ${TIMES_DURATION} * interval '1 ms')
    returning true)
  select figures, least(extract(epoch from now() - computed_at), 1e9)::float8 as "ageS", exists (select from claimed) as mine
  from state_figures`

const FREE = 'and (lease_until is null or lease_until < now())'

/** Rows of a queue that are due and in nobody's hands, counted, and how long the oldest has been so. */
const due = (source: string, table: string, { now = 'a.now', where = FREE } = {}): string => `
  select d.figure, a.mode, '${source}', sum(case d.figure when 'due' then amount end), max(age_s)
  from a cross join lateral (
    select count(*)::float8 as amount, extract(epoch from ${now} - min(due_at))::float8 as age_s
    from (select due_at from ${table} where account_id = a.account_id and due_at <= ${now} ${where}
      order by due_at limit ${MAX_COUNTED}) as first) as counted
  cross join (values ('due'), ('due_oldest_s')) as d(figure)
  group by 1, 2`

const WAITING_SENDS = `
  (select s.account_id, s.due_at from webhook_sends as s join webhook_endpoints as w using (account_id, endpoint_id)
    join a as owner using (account_id)
    where w.paused_at is null and (w.backoff_until is null or w.backoff_until <= owner.now)
      and (w.lease_until is null or w.lease_until < now())) as sends`

/** An endpoint whose feed goes on and that nobody reads for it; the oldest of what it has not read. */
const UNREAD_FEED = `
  (select w.account_id, next.at as due_at from webhook_endpoints as w
    cross join lateral (select e.at from events as e
      where e.account_id = w.account_id and e.feed_position > w.cursor_feed_position order by e.feed_position limit 1) as next
    where w.paused_at is null and w.backlog < ${MAX_COUNTED}
      and (w.lease_until is null or w.lease_until < now())) as unread`

// `status not in (…)` word for word as the partial index deliveries_open has it.
const OPEN = `status not in ('delivered', 'returned', 'cancelled')`

const FIGURES = `
with a as materialized (
  select account_id, mode, now() + clock_offset_ms * interval '1 millisecond' as now from accounts),
open as materialized (
  select a.mode, d.status, d.dead_lettered_at is not null as dead_lettered, d.window_to < a.now as late
  from a cross join lateral (
    select status, dead_lettered_at, window_to from deliveries where account_id = a.account_id and ${OPEN}) as d),
ended as (
  select a.mode, case when d.window_to is null then 'no_window'
    when coalesce(d.carrier_event_at, d.updated_at) <= d.window_to then 'on_time' else 'late' end as name
  from a join stores as s using (account_id) cross join lateral (
    select status, window_to, carrier_event_at, updated_at from deliveries
    where account_id = a.account_id and store_id = s.store_id and status in ('delivered', 'returned', 'cancelled')
      and updated_at > a.now - interval '1 hour' and updated_at <= a.now
    -- Keeps the hour inside, where the index finds it: else whole histories are read, 8 s for 400,000 deliveries.
    offset 0) as d
  where d.status = 'delivered'),
unanswered as (
  select a.mode, i.state, i.requested_at from a join booking_intents as i using (account_id)
  where i.state in ('sent', 'unknown')),
unpublished as (
  select a.mode, extract(epoch from now() - ${madeAt('e.event_id')})::float8 as age_s
  from a left join lateral (
    select event_id from events
    where account_id = a.account_id and feed_position is null order by position limit 1) as e on true),
waiting (figure, mode, name, amount, age_s) as (
  ${[
    due('deliveries', 'deliveries'),
    due('manifests', 'manifests'),
    due('allocations', 'allocation_jobs', { now: 'now()' }),
    due('sms', 'messages', { where: `and kind = 'sms' ${FREE}` }),
    due('email', 'messages', { where: `and kind = 'email' ${FREE}` }),
    due('orphaned bookings', 'orphaned_bookings'),
    due('superseded bookings', 'booking_intents'),
    due('sandbox events', 'sandbox_consignments'),
    due('webhooks', WAITING_SENDS, { where: '' }),
    due('webhook feed', UNREAD_FEED, { where: '' }),
  ].join('\nunion all')})
select figure, mode, name, coalesce(case figure when 'due' then amount else age_s end, 0)::float8 as value from waiting
union all select 'deliveries', mode, status, count(*)::float8 from open group by 2, 3
union all select 'deliveries', mode, 'late', count(*)::float8 from open where late group by 2
union all select 'ended', mode, name, count(*)::float8 from ended group by 2, 3
union all select 'dead_lettered', mode, 'deliveries', count(*)::float8 from open where dead_lettered group by 2
union all select 'unanswered', mode, state, count(*)::float8 from unanswered group by 2, 3
union all select 'unanswered_oldest_s', mode, state, extract(epoch from now() - min(requested_at))::float8
  from unanswered group by 2, 3
union all select 'endpoints', a.mode, case when paused_at is not null then 'paused'
    when failing_since is not null then 'failing' else 'working' end, count(*)::float8
  from a join webhook_endpoints using (account_id) group by 2, 3
union all select 'sms_accounts', a.mode, 'at_limit', count(distinct account_id)::float8
  from a join sms_days using (account_id)
  where day >= (now() - interval '2 days')::date and reached_at > now() - interval '24 hours' group by 2
union all select 'webhook_backlog', a.mode, 'sends', sum(backlog)::float8
  from a join webhook_endpoints using (account_id) group by 2
union all select 'unpublished_oldest_s', mode, 'events', coalesce(max(age_s), 0) from unpublished group by 2`
