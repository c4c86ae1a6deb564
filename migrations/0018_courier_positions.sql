-- Carriers forget idempotency keys: how long one has been in use is told by wall time.
alter table booking_intents add column asked_at timestamptz not null default now();

-- Where a carrier's courier was when it last said so; one row of each delivery under way, for its tracking page.
create table courier_positions (
  account_id text not null,
  delivery_id text not null,
  at timestamptz not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  -- As the carrier shows it to customers: a first name, mostly.
  courier_name text,
  primary key (account_id, delivery_id),
  foreign key (account_id, delivery_id) references deliveries
);
