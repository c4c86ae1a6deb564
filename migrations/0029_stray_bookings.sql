-- Bookings at carriers whose attempts were given up: each is asked back until its carrier has answered, or two days have passed.
create table stray_bookings (
  account_id text not null references accounts,
  provider text not null,
  -- By which its carrier is asked about it.
  reference text not null,
  delivery_id text not null,
  attempt integer not null,
  consignment_number text not null,
  -- Account time, as is due_at; leases are wall time.
  found_at timestamptz not null,
  -- When its carrier is asked again; null: it has ended.
  due_at timestamptz,
  -- Questions that were not answered.
  tries integer not null default 0,
  lease_until timestamptz,
  fence bigint not null default 0,
  -- Since its work last came to an end of any kind.
  claims integer not null default 0,
  -- Null: not yet. `kept`: its carrier does not let it go; `by_hand`: it takes no cancellations by its interface.
  outcome text check (outcome in ('cancelled', 'kept', 'by_hand', 'given_up')),
  primary key (account_id, provider, reference),
  foreign key (account_id, delivery_id) references deliveries,
  check ((outcome is null) = (due_at is not null))
);
create index stray_bookings_due on stray_bookings (account_id, due_at) where due_at is not null;
create index stray_bookings_delivery on stray_bookings (account_id, delivery_id);
