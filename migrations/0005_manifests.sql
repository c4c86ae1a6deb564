-- no-transaction
-- Manifests: what is handed to a carrier together, each delivery on at most one of them.
create table if not exists manifests (
  account_id text not null references accounts,
  manifest_id text not null,
  store_id text not null,
  provider text not null,
  carrier_name text not null,
  manifest_group text not null,
  dangerous_goods boolean not null,
  state text not null check (state in ('draft', 'submitting', 'submitted', 'on_hold', 'refused')),
  -- Why it waits, was refused or is held, as a sentence for people.
  state_reason text,
  wants_summary boolean not null,
  deliveries integer not null check (deliveries > 0),
  -- Units, not parcel rows.
  items integer not null,
  account_version integer not null,
  order_id text,
  cost_cents bigint,
  -- What stands between us and the carrier: nothing, a question without an answer yet, or one that got none.
  asked text check (asked in ('sent', 'unknown')),
  settle_until timestamptz,
  tries integer not null default 0,
  -- The Idempotency-Key it was made under, so that a repeated request finds it even when its first process died.
  request_key text,
  request_fingerprint bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  submitted_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  claims integer not null default 0,
  primary key (account_id, manifest_id),
  foreign key (account_id, store_id) references stores
);
create index if not exists manifests_due on manifests (account_id, due_at) where due_at is not null;
create index if not exists manifests_store on manifests (account_id, store_id, manifest_id desc);
create index if not exists manifests_request on manifests (account_id, request_key) where request_key is not null;

create table if not exists manifest_deliveries (
  account_id text not null,
  manifest_id text not null,
  delivery_id text not null,
  units integer not null,
  -- True from the submit on; drafts and refused ones hold nothing.
  held boolean not null,
  primary key (account_id, manifest_id, delivery_id),
  foreign key (account_id, manifest_id) references manifests,
  foreign key (account_id, delivery_id) references deliveries
);
create unique index if not exists manifest_deliveries_once on manifest_deliveries (account_id, delivery_id) where held;

-- The sandbox carriers' side of it.
create table if not exists sandbox_orders (
  account_id text not null references accounts,
  order_id text not null,
  carrier text not null,
  reference text not null,
  answer json not null,
  lodged_at timestamptz not null,
  -- Wall time from which a look-up by reference finds it.
  findable_from timestamptz not null,
  primary key (account_id, order_id)
);
create index if not exists sandbox_orders_reference on sandbox_orders (account_id, carrier, reference);

-- Give way to traffic rather than stop it; the migration is tried again.
set lock_timeout = '2s';
-- The manifest that holds it, from being submitted on.
alter table deliveries add column if not exists manifest_id text;
alter table sandbox_consignments add column if not exists order_id text;
set lock_timeout = 0;

drop index concurrently if exists deliveries_to_manifest;
create index concurrently deliveries_to_manifest on deliveries (account_id, store_id, delivery_id)
  where manifest_id is null and consignment_number is not null and manifest_status in ('pending', 'ready');
