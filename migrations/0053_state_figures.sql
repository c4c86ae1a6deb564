-- The figures of the whole installation for /metrics: processes share them, so each scrape reads one row.
create table state_figures (
  installation boolean primary key default true check (installation),
  figures json not null default '[]',
  computed_at timestamptz not null default '-infinity',
  took_ms integer not null default 0,
  -- Another process computes them until then.
  lease_until timestamptz not null default '-infinity'
);
insert into state_figures default values;
