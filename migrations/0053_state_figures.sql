-- The figures of the whole installation for /metrics: processes share them, so each scrape reads one row.
create table state_figures (
  -- '~': the installation, as for its operators' log-ins.
  account_id text primary key,
  figures json not null default '[]',
  computed_at timestamptz not null default '-infinity',
  took_ms integer not null default 0,
  -- Another process computes them until then.
  lease_until timestamptz not null default '-infinity'
);
insert into state_figures (account_id) values ('~');
