import type { Tally, UncountedFigures } from '../../domain/insights/figures.ts'
import type { ExclusionRule } from '../../domain/quoting/decision.ts'
import { type Db, instant } from '../db/db.ts'
import { COUNTED_ENDED, COUNTED_EXCLUSIONS } from './ended-rows.ts'
import type { Span } from './insight-days.ts'

export type Period = Span & { storeIds: readonly string[] }

/** The days of a period, each from its local midnight to the next. */
export type PeriodOfDays = { days: readonly Span[]; storeIds: readonly string[] }

/**
 * `tallied` has the days with a tally that is not stale. All other days are in `spans`, to be counted from their
 * deliveries. Both read one snapshot of the database, so the figures of a day include its changes, however late.
 */
const TALLIED = `days as (
        select from_at, to_at from unnest($3::timestamptz[], $4::timestamptz[]) as day(from_at, to_at)
      ), tallied as materialized (
        select t.* from insight_days as t join days using (from_at, to_at)
        where t.account_id = $1 and t.store_id = any($2)
          and t.from_at >= (select min(from_at) from days) and t.from_at <= (select max(from_at) from days)
          and not exists (select from insight_changes as c
            where c.account_id = $1 and c.store_id = t.store_id and c.at >= t.from_at and c.at < t.to_at)
      ), spans as (
        select s.store_id, days.* from (select distinct unnest($2::text[]) as store_id) as s cross join days
        where not exists (select from tallied as t where t.store_id = s.store_id and t.from_at = days.from_at)
      )`

function tallyValues(accountId: string, { days, storeIds }: PeriodOfDays) {
  return [
    accountId,
    storeIds,
    days.map(({ fromMs }) => instant(fromMs)),
    days.map(({ toMs }) => instant(toMs)),
  ]
}

/** Counts the deliveries of these stores that ended in the period. Weeks start on Monday, in the time zone. */
export async function tallyEnded(
  db: Db,
  accountId: string,
  period: PeriodOfDays,
  zone: string,
): Promise<Tally[]> {
  const { rows } = await db.query<Tally>({
    name: 'tally-ended',
    text: `with ${TALLIED}, ${COUNTED_ENDED}, ended as (
        select * from counted_ended
        union all
        select store_id, from_at, one.* from tallied cross join lateral unnest(tallied.ended) as one
      )
      select store_id as "storeId", provider, carrier, service,
        to_char(date_trunc('week', from_at at time zone $5), 'YYYY-MM-DD') as week, status, bin,
        sum(deliveries)::int as deliveries, sum(cost_cents)::float8 as "costCents"
      from ended group by 1, 2, 3, 4, 5, 6, 7`,
    values: [...tallyValues(accountId, period), zone],
  })
  return rows
}

export type ExclusionTally = {
  rule: ExclusionRule
  provider: string
  service: string
  deliveries: number
  /** For how many deliveries we recorded what the service would have cost, and for how many of these it was cheaper. */
  pricedCount: number
  cheaperCount: number
  /** The extra cost of the deliveries that a cheaper service would have carried. */
  extraCostCents: number
}

/**
 * Counts the rules that excluded services from these deliveries, most frequent first, and the extra cost of the
 * services that carried them instead.
 */
export async function tallyExclusions(
  db: Db,
  accountId: string,
  period: PeriodOfDays,
): Promise<ExclusionTally[]> {
  const { rows } = await db.query<ExclusionTally>({
    name: 'tally-kept-out',
    text: `with ${TALLIED}, ${COUNTED_EXCLUSIONS}, exclusions as (
        select * from counted_exclusions
        union all
        select store_id, from_at, one.* from tallied cross join lateral unnest(tallied.exclusions) as one
      )
      select rule, provider, service, sum(deliveries)::int as deliveries, sum(priced)::int as "pricedCount",
        sum(cheaper)::int as "cheaperCount", sum(extra_cost_cents)::float8 as "extraCostCents"
      from exclusions group by 1, 2, 3 order by deliveries desc, 1, 2, 3 limit 50`,
    values: tallyValues(accountId, period),
  })
  return rows
}

/** Counts these stores' deliveries that were cancelled or reported lost in the period, with their quoted prices. */
export async function tallyUncounted(
  db: Db,
  accountId: string,
  { fromMs, toMs, storeIds }: Period,
): Promise<Record<'cancelled' | 'lost', UncountedFigures>> {
  const { rows } = await db.query<UncountedFigures & { ending: 'cancelled' | 'lost' }>({
    name: 'tally-uncounted',
    // Two selects, so that each uses the partial index of its statuses.
    text: `with uncounted as (
        select 'cancelled' as ending, chosen from deliveries
        where account_id = $1 and store_id = any($2) and status = 'cancelled'
          and updated_at >= $3 and updated_at < $4
        union all
        select 'lost', chosen from deliveries
        where account_id = $1 and store_id = any($2) and status not in ('delivered', 'returned', 'cancelled')
          and sub_status = 'lost' and updated_at >= $3 and updated_at < $4
      )
      select ending, count(*)::int as deliveries,
        coalesce(sum((chosen->>'priceCents')::bigint), 0)::float8 as "quotedCents"
      from uncounted group by 1`,
    values: [accountId, storeIds, instant(fromMs), instant(toMs)],
  })
  const figuresOf = (wanted: string) => {
    const { deliveries = 0, quotedCents = 0 } = rows.find(({ ending }) => ending === wanted) ?? {}
    return { deliveries, quotedCents }
  }
  return { cancelled: figuresOf('cancelled'), lost: figuresOf('lost') }
}
