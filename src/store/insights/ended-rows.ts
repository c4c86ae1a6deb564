/**
 * CTEs that count the ended deliveries of account $1 in `spans` (store_id, from_at, to_at), by span. Readers use them
 * for days without a tally, and workers use them to tally days, so both get the same figures.
 */

/**
 * `offset 0` keeps PostgreSQL from flattening the subquery, so that the span's conditions use the index
 * `deliveries_ended`.
 */
const inSpans = (columns: string) => `spans as s cross join lateral (
        select ${columns} from deliveries
        where account_id = $1 and store_id = s.store_id and status in ('delivered', 'returned')
          and updated_at >= s.from_at and updated_at < s.to_at
        offset 0) as d`

/**
 * The arrival time is the carrier's own time of its last update, or the driver's time of the last step. `bin` is the
 * position relative to the window: two bins before it, ten tenths of it, four after it.
 */
export const COUNTED_ENDED = `placed as (
        select s.store_id, s.from_at, chosen, status, case
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
        from ${inSpans('chosen, status, window_from, window_to, coalesce(carrier_event_at, updated_at) as came_at')}
      ), counted_ended as (
        select store_id, from_at, option.provider, option."carrierName" as carrier, option.service, status, bin,
          count(*) as deliveries, coalesce(sum(coalesce("costCents", "priceCents")), 0) as cost_cents
        from placed cross join lateral json_to_record(chosen) as option(
          provider text, "carrierName" text, service text, "costCents" bigint, "priceCents" bigint)
        group by 1, 2, 3, 4, 5, 6, 7
      )`

/** Only excluded services have a rule, so the condition on `rule` drops the options. */
export const COUNTED_EXCLUSIONS = `excluded as (
        select s.store_id, s.from_at, rule, provider, service, (chosen->>'priceCents')::bigint - "wouldCostCents" as more
        from ${inSpans('chosen, decision')}, json_to_recordset(decision->'services') as weighed(
          rule text, provider text, service text, "wouldCostCents" bigint)
        where rule not in ('delivery_type', 'provider_options')
      ), counted_exclusions as (
        select store_id, from_at, rule, provider, service, count(*) as deliveries, count(more) as priced,
          count(*) filter (where more > 0) as cheaper,
          coalesce(sum(more) filter (where more > 0), 0) as extra_cost_cents
        from excluded group by 1, 2, 3, 4, 5
      )`
