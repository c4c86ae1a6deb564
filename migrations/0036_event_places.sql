-- no-transaction
-- Each account's events have places of their own, 1, 2, 3 … in the order in which they were committed: feed and webhooks no
-- longer wait for the oldest transaction of the whole PostgreSQL server. Can be run again after it was cut short.
set lock_timeout = '2s';

-- Null: not published yet. With the place, what an event says of its delivery is fixed: its reference may be amended later.
alter table events add column if not exists place bigint, add column if not exists reference text;

-- Publishing writes each event a second time, and vacuum makes that room free again.
alter table events set (autovacuum_vacuum_scale_factor = 0.05);

-- The place of an account's newest published event. Whoever publishes holds the row for one statement.
create table if not exists event_sequences (
  account_id text primary key references accounts,
  last_place bigint not null default 0,
  -- Up to this place events follow (tx, position), as they did before: cursors of that time are found among them.
  backfilled_to bigint not null default 0
) with (fillfactor = 50);

-- Null: still where (cursor_tx, cursor_position) says. With a place, the release before this reads nothing more for it.
alter table webhook_endpoints add column if not exists cursor_place bigint,
  alter column cursor_tx set default '18446744073709551615', alter column cursor_position set default 0;

-- Null until_place: up to what the endpoint has reached.
alter table webhook_replays
  add column if not exists after_place bigint not null default 0, add column if not exists until_place bigint,
  alter column after_tx set default '0', alter column after_position set default 0,
  alter column until_tx set default '18446744073709551615', alter column until_position set default 9223372036854775807;

set lock_timeout = 0;

with numbered as (
  select e.account_id, e.stream, e.position,
    row_number() over (partition by e.account_id order by e.tx, e.position) as place
  from events as e
  where not exists (select from event_sequences as s where s.account_id = e.account_id)
), placed as (
  update events as e set place = n.place, reference = d.reference
  from numbered as n left join deliveries as d on d.account_id = n.account_id and d.delivery_id = n.stream
  where e.account_id = n.account_id and e.stream = n.stream and e.position = n.position
)
insert into event_sequences (account_id, last_place, backfilled_to)
select a.account_id, coalesce(max(n.place), 0), coalesce(max(n.place), 0)
from accounts as a left join numbered as n using (account_id)
group by a.account_id
on conflict do nothing;

drop index concurrently if exists events_unpublished;
create index concurrently events_unpublished on events (account_id, position) where place is null;
drop index concurrently if exists events_place;
create unique index concurrently events_place on events (account_id, place) where place is not null;
drop index concurrently if exists events_own_place;
create index concurrently events_own_place on events (account_id, place) where stream = '' and place is not null;
