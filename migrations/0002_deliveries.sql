-- Deliveries: the state is the queue. What is due says so itself, in account time.
create table deliveries (
  account_id text not null references accounts,
  delivery_id text not null,
  store_id text not null,
  brand_id text not null,
  reference text not null,
  status text not null,
  sub_status text,
  status_reason text,
  content json not null,
  content_version integer not null default 1,
  delivery_type text not null,
  delivery_mode text not null,
  chosen json,
  decision json,
  window_from timestamptz,
  window_to timestamptz,
  ready_for_pickup_at timestamptz not null,
  carrier_provider text,
  consignment_number text,
  articles json not null default '[]',
  manifest_status text not null default 'pending',
  account_version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  requested_at timestamptz,
  booked_at timestamptz,
  -- When the options were last decided, for the record that `decision` is.
  decided_at timestamptz,
  -- The carrier's own time of the newest news applied: older news never moves the status back.
  carrier_event_at timestamptz,
  booking_tries integer not null default 0,
  -- The intent that may stand at a carrier; on the delivery's own row so that cancel and amend race it on one lock.
  open_attempt integer,
  -- Refusals up to this attempt no longer count: a person has asked for it to be tried again.
  refusals_from integer not null default 0,
  cancel_requested_at timestamptz,
  cancel_reason text,
  due_at timestamptz,
  lease_until timestamptz,
  -- Grows at every claim; a late writer's number no longer matches.
  fence bigint not null default 0,
  -- Claims since the last settled one: work that kills its worker is counted too.
  claims integer not null default 0,
  parked_at timestamptz,
  parked_reason text,
  primary key (account_id, delivery_id),
  foreign key (account_id, store_id) references stores,
  foreign key (account_id, brand_id) references brands,
  check (window_from <= window_to)
);
create unique index deliveries_reference on deliveries (account_id, reference, store_id);
create index deliveries_store on deliveries (account_id, store_id, delivery_id desc);
create index deliveries_due on deliveries (account_id, due_at) where due_at is not null;
create index deliveries_consignment on deliveries (account_id, consignment_number) where consignment_number is not null;

-- What we are about to ask a carrier, written before we ask: at most one can be open or accepted at a time.
create table booking_intents (
  account_id text not null,
  delivery_id text not null,
  attempt integer not null,
  -- Our reference at the carrier: its idempotency key, or what it can be looked up by.
  key text not null,
  provider text not null,
  service text not null,
  consignment json not null,
  option json not null,
  content_version integer not null,
  state text not null check (state in ('sent', 'unknown', 'accepted', 'rejected', 'void')),
  said text,
  fence bigint not null,
  -- Account time for what people read, wall time for what protects (settling).
  created_at timestamptz not null,
  settle_until timestamptz not null,
  answered_at timestamptz,
  primary key (account_id, delivery_id, attempt),
  unique (account_id, key),
  foreign key (account_id, delivery_id) references deliveries
);
create unique index booking_intents_one_open on booking_intents (account_id, delivery_id)
  where state in ('sent', 'unknown', 'accepted');

-- Everything that is told: timelines now, the feed and webhooks from the same rows.
create table events (
  account_id text not null,
  -- The delivery it belongs to, or '' for the account's own.
  stream text not null,
  position bigint generated always as identity,
  -- With position, a gap-free order for readers: a row is shown once no older transaction can still add one.
  tx xid8 not null default pg_current_xact_id(),
  event_id text not null,
  type text not null,
  at timestamptz not null,
  source text not null,
  from_status text,
  to_status text,
  sub_status text,
  consignment_number text,
  detail text,
  primary key (account_id, stream, position)
);
create index events_feed on events (account_id, tx, position);

-- News from carriers exactly as it came, once each.
create table carrier_events (
  account_id text not null,
  delivery_id text not null,
  carrier_event_id text not null,
  at timestamptz not null,
  received_at timestamptz not null,
  status text,
  sub_status text,
  said text not null,
  primary key (account_id, delivery_id, carrier_event_id),
  foreign key (account_id, delivery_id) references deliveries
);

create table idempotency_keys (
  account_id text not null references accounts,
  key text not null,
  fingerprint bytea not null,
  -- Null while the first request still runs.
  status integer,
  headers json,
  body text,
  delivery_id text,
  locked_until timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (account_id, created_at);

create table staff_couriers (
  account_id text not null references accounts,
  courier_id text not null,
  store_id text not null,
  phone text not null,
  driver_name text not null,
  driver_id text,
  active boolean not null default true,
  last_seen_at timestamptz,
  primary key (account_id, courier_id),
  unique (account_id, store_id, phone),
  foreign key (account_id, store_id) references stores
);
