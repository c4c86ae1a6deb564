import type { Tally, UncountedFigures } from '../../domain/insights/figures.ts'
import type { ExclusionRule } from '../../domain/quoting/decision.ts'
import { type Db, instant } from '../db/db.ts'

export type Period = { fromMs: number; toMs: number; storeIds: readonly string[] }

/** Counts the deliveries of these stores that ended in the period. Weeks are in the zone, starting on Monday. */
export async function tallyEnded(
  db: Db,
  accountId: string,
  { fromMs, toMs, storeIds }: Period,
  zone: string,
): Promise<Tally[]> {
  const { rows } = await db.query<Tally>({
    name: 'tally-ended',
    // The arrival time is the carrier's own time of its last update; own couriers report as it happens. Position
    // relative to the window: two bins before it, its ten tenths, four after it.
    text: `with ended as (
        select store_id, carrier_provider, chosen, status, window_from, window_to,
          updated_at, coalesce(carrier_event_at, updated_at) as came_at
        from deliveries
        where account_id = $1 and store_id = any($2) and status in ('delivered', 'returned')
          and updated_at >= $3 and updated_at < $4
      ), placed as (
        select *, case
          when status <> 'delivered' or window_from is null then null
          when came_at < window_from - interval '30 minutes' then 0
          when came_at < window_from then 1
          when came_at <= window_to then 2 + least(9, floor(10 * extract(epoch from came_at - window_from)
            / greatest(1, extract(epoch from window_to - window_from)))::int)
          when came_at <= window_to + interval '15 minutes' then 12
          when came_at <= window_to + interval '30 minutes' then 13
          when came_at <= window_to + interval '60 minutes' then 14
          else 15
        end as bin
        from ended
      ), tallied as (
        select store_id, option.provider, option."carrierName", option.service,
          date_trunc('week', updated_at at time zone $5) as week, status, bin, count(*)::int as deliveries,
          coalesce(sum(coalesce("costCents", "priceCents")), 0)::float8 as cents
        from placed cross join lateral json_to_record(chosen) as option(
          provider text, "carrierName" text, service text, "costCents" bigint, "priceCents" bigint)
        group by 1, 2, 3, 4, 5, 6, 7
      )
      select store_id as "storeId", provider, "carrierName" as carrier, service, to_char(week, 'YYYY-MM-DD') as week,
        status, bin, deliveries, cents as "costCents"
      from tallied`,
    values: [accountId, storeIds, instant(fromMs), instant(toMs), zone],
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
  /** The additional cost of the deliveries that a cheaper service would have carried. */
  extraCostCents: number
}

/**
 * The rules that excluded services from these deliveries, the most frequent first, and the additional cost of the
 * services that carried them.
 */
export async function tallyExclusions(
  db: Db,
  accountId: string,
  { fromMs, toMs, storeIds }: Period,
): Promise<ExclusionTally[]> {
  const { rows } = await db.query<ExclusionTally>({
    name: 'tally-kept-out',
    // Only excluded services have a rule; options are not read further.
    text: `with exclusions as (
        select rule, provider, service, (chosen->>'priceCents')::int - "wouldCostCents" as more
        from deliveries, json_to_recordset(decision->'services') as weighed(
          rule text, provider text, service text, "wouldCostCents" int)
        where account_id = $1 and store_id = any($2) and status in ('delivered', 'returned')
          and updated_at >= $3 and updated_at < $4
          and rule not in ('delivery_type', 'provider_options')
      )
      select rule, provider, service, count(*)::int as deliveries, count(more)::int as "pricedCount",
        (count(*) filter (where more > 0))::int as "cheaperCount",
        coalesce(sum(more) filter (where more > 0), 0)::float8 as "extraCostCents"
      from exclusions group by 1, 2, 3 order by deliveries desc, 1, 2, 3 limit 50`,
    values: [accountId, storeIds, instant(fromMs), instant(toMs)],
  })
  return rows
}

/** The deliveries of these stores that were cancelled or reported lost in the period, and what they were quoted. */
export async function tallyUncounted(
  db: Db,
  accountId: string,
  { fromMs, toMs, storeIds }: Period,
): Promise<Record<'cancelled' | 'lost', UncountedFigures>> {
  const { rows } = await db.query<UncountedFigures & { ending: 'cancelled' | 'lost' }>({
    name: 'tally-uncounted',
    // Two selects, so that each reads the partial index of its statuses.
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
