-- Insights read every ended delivery of a month: 1.2 s for 114,000, and 4 s for their exclusions. Past days are tallied once.
create type ended_tally as (
  provider text, carrier text, service text, status text, bin smallint, deliveries integer, cost_cents bigint);
create type exclusion_tally as (
  rule text, provider text, service text, deliveries integer, priced integer, cheaper integer, extra_cost_cents bigint);

-- A store's deliveries that ended on one local day. No row: nothing ended, or not tallied yet.
create table insight_days (
  account_id text not null,
  store_id text not null,
  from_at timestamptz not null,
  -- Another time zone has other days: readers use a row only if both instants are those of their day.
  to_at timestamptz not null,
  ended ended_tally[] not null,
  exclusions exclusion_tally[] not null,
  primary key (account_id, store_id, from_at)
);

-- An ended delivery at this instant was changed, after its day may have been tallied: the tally is stale. Rows are only
-- ever added, so changes never wait for each other, and the statement that tallies the day again deletes those it sees.
create table insight_changes (
  account_id text not null,
  store_id text not null,
  at timestamptz not null,
  change_id bigint generated always as identity,
  primary key (account_id, store_id, at, change_id)
);

-- How far the days of a store are tallied.
create table insight_progress (
  account_id text not null,
  store_id text not null,
  zone text not null default '',
  tallied_to timestamptz not null default '-infinity',
  look_at timestamptz not null default '-infinity',
  primary key (account_id, store_id)
);

-- A trigger and not the service's statements: it also holds for processes of an older version and for corrections by hand.
create function record_insight_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.store_id, old.status, old.updated_at, old.carrier_event_at, old.window_from, old.window_to,
      old.chosen::text, old.decision::text) is not distinct from (new.store_id, new.status, new.updated_at,
      new.carrier_event_at, new.window_from, new.window_to, new.chosen::text, new.decision::text) then
    return null;
  end if;
  insert into insight_changes (account_id, store_id, at)
  select account_id, store_id, updated_at
  from (values (old.account_id, old.store_id, old.status, old.updated_at),
    (new.account_id, new.store_id, new.status, new.updated_at)) as row(account_id, store_id, status, updated_at)
  where status in ('delivered', 'returned') and updated_at < now() - interval '1 hour';
  return null;
end $$;

-- Days are tallied three hours after their end: what ends now, or ended within the hour, costs a comparison and no row.
create trigger deliveries_insight_update after update on deliveries for each row
  when ((old.status in ('delivered', 'returned') and old.updated_at < now() - interval '1 hour')
    or (new.status in ('delivered', 'returned') and new.updated_at < now() - interval '1 hour'))
  execute function record_insight_change();
create trigger deliveries_insight_insert after insert on deliveries for each row
  when (new.status in ('delivered', 'returned') and new.updated_at < now() - interval '1 hour')
  execute function record_insight_change();
create trigger deliveries_insight_delete after delete on deliveries for each row
  when (old.status in ('delivered', 'returned') and old.updated_at < now() - interval '1 hour')
  execute function record_insight_change();
