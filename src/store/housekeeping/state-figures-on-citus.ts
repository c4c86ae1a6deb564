import { madeAt } from '../db/id-times.ts'

/**
 * The figures of `state-figures.ts` on Citus, where each shard counts its own rows: joins by account, without the bound on
 * the rows that are counted, which would need an order across the rows of each account.
 */
const A = `(select account_id, mode, now() + clock_offset_ms * interval '1 millisecond' as now from accounts) as a`

const FREE = 'and (t.lease_until is null or t.lease_until < now())'

const dueOnCitus = (
  source: string,
  table: string,
  { now = 'a.now', where = FREE, join = '' } = {},
): string => `
  select 'due' as figure, a.mode, '${source}' as name, count(*)::float8 as value
  from ${A} join ${table} as t using (account_id) ${join} where t.due_at <= ${now} ${where} group by a.mode
  union all select 'due_oldest_s', a.mode, '${source}', max(extract(epoch from ${now} - t.due_at))::float8
  from ${A} join ${table} as t using (account_id) ${join} where t.due_at <= ${now} ${where} group by a.mode`

/** Feed positions have no gaps: the next event of an endpoint has the next position. */
const UNREAD = `from ${A} join webhook_endpoints as w using (account_id)
  join events as e on e.account_id = w.account_id and e.feed_position = w.cursor_feed_position + 1
  where w.paused_at is null and (w.lease_until is null or w.lease_until < now()) group by a.mode`

const OPEN = `from ${A} join deliveries as d using (account_id) where d.status not in ('delivered', 'returned', 'cancelled')`

const UNANSWERED = `from ${A} join booking_intents as i using (account_id) where i.state in ('sent', 'unknown') group by a.mode, i.state`

export const FIGURES_ON_CITUS = `
${[
  dueOnCitus('deliveries', 'deliveries'),
  dueOnCitus('manifests', 'manifests'),
  dueOnCitus('allocations', 'allocation_jobs', { now: 'now()' }),
  dueOnCitus('sms', 'messages', { where: `and t.kind = 'sms' ${FREE}` }),
  dueOnCitus('email', 'messages', { where: `and t.kind = 'email' ${FREE}` }),
  dueOnCitus('orphaned bookings', 'orphaned_bookings'),
  dueOnCitus('superseded bookings', 'booking_intents'),
  dueOnCitus('sandbox events', 'sandbox_consignments'),
  dueOnCitus('webhooks', 'webhook_sends', {
    join: 'join webhook_endpoints as w using (account_id, endpoint_id)',
    where: `and w.paused_at is null and (w.backoff_until is null or w.backoff_until <= a.now)
      and (w.lease_until is null or w.lease_until < now())`,
  }),
].join('\nunion all ')}
union all select 'due', a.mode, 'webhook feed', count(*)::float8 ${UNREAD}
union all select 'due_oldest_s', a.mode, 'webhook feed', max(extract(epoch from a.now - e.at))::float8 ${UNREAD}
union all select 'deliveries', a.mode, d.status, count(*)::float8 ${OPEN} group by a.mode, d.status
union all select 'deliveries', a.mode, 'late', count(*)::float8 ${OPEN} and d.window_to < a.now group by a.mode
union all select 'dead_lettered', a.mode, 'deliveries', count(*)::float8 ${OPEN} and d.dead_lettered_at is not null group by a.mode
union all select 'ended', a.mode, case when d.window_to is null then 'no_window'
    when coalesce(d.carrier_event_at, d.updated_at) <= d.window_to then 'on_time' else 'late' end, count(*)::float8
  from ${A} join deliveries as d using (account_id)
  where d.status = 'delivered' and d.updated_at > a.now - interval '1 hour' and d.updated_at <= a.now group by 2, 3
union all select 'unanswered', a.mode, i.state, count(*)::float8 ${UNANSWERED}
union all select 'unanswered_oldest_s', a.mode, i.state, extract(epoch from now() - min(i.requested_at))::float8 ${UNANSWERED}
union all select 'endpoints', a.mode, case when w.paused_at is not null then 'paused'
    when w.failing_since is not null then 'failing' else 'working' end, count(*)::float8
  from ${A} join webhook_endpoints as w using (account_id) group by 2, 3
union all select 'sms_accounts', a.mode, 'at_limit', count(distinct s.account_id)::float8
  from ${A} join sms_days as s using (account_id)
  where s.day >= (now() - interval '2 days')::date and s.reached_at > now() - interval '24 hours' group by a.mode
union all select 'webhook_backlog', a.mode, 'sends', sum(w.backlog)::float8
  from ${A} join webhook_endpoints as w using (account_id) group by a.mode
union all select 'unpublished_oldest_s', a.mode, 'events', coalesce(max(e.age_s), 0)
  from ${A} left join (
    select account_id, extract(epoch from now() - ${madeAt('min(event_id)')})::float8 as age_s
    from events where feed_position is null group by account_id) as e using (account_id) group by a.mode`
