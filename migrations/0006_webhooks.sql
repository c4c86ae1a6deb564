-- Events go out: who wants them, what still waits for each of them, and every attempt that was made.
create table webhook_endpoints (
  account_id text not null references accounts,
  endpoint_id text not null,
  url text not null,
  -- Null: every type, every store.
  event_types text[],
  store_ids text[],
  -- AES-256-GCM, bound to account and endpoint; after a rotation the old one signs too, for a while of wall time.
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  old_key_id text,
  old_nonce bytea,
  old_ciphertext bytea,
  old_until timestamptz,
  -- Account time for what people read and what is paused, wall time for leases.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  paused_at timestamptz,
  paused_reason text,
  failing_since timestamptz,
  held_until timestamptz,
  -- How far the feed has been read; only the holder of the fence moves it.
  cursor_tx xid8 not null,
  cursor_position bigint not null,
  backlog integer not null default 0,
  claimed_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  claims integer not null default 0,
  primary key (account_id, endpoint_id)
);

-- What an endpoint is still to hear; what it has heard, or never will, is gone. Written only under its fence.
create table webhook_sends (
  account_id text not null,
  endpoint_id text not null,
  -- Events of one lane are told one after the other.
  lane text not null,
  position bigint not null,
  stream text not null,
  event_id text not null,
  attempts integer not null default 0,
  first_at timestamptz,
  -- Null: one before it in its lane is still to be told.
  due_at timestamptz,
  primary key (account_id, endpoint_id, lane, position),
  foreign key (account_id, endpoint_id) references webhook_endpoints on delete cascade
);
create index webhook_sends_due on webhook_sends (account_id, endpoint_id, due_at) where due_at is not null;

-- What is to be told again: named events, or all from a moment on up to what the endpoint has reached.
create table webhook_replays (
  account_id text not null,
  endpoint_id text not null,
  replay bigint generated always as identity,
  streams text[],
  positions bigint[],
  from_at timestamptz,
  after_tx xid8,
  after_position bigint,
  until_tx xid8,
  until_position bigint,
  primary key (account_id, endpoint_id, replay),
  foreign key (account_id, endpoint_id) references webhook_endpoints on delete cascade
);

create table webhook_attempts (
  account_id text not null,
  endpoint_id text not null,
  attempt bigint generated always as identity,
  event_id text not null,
  type text not null,
  number integer not null,
  at timestamptz not null,
  made_at timestamptz not null default now(),
  duration_ms integer not null,
  outcome text not null check (outcome in ('delivered', 'failed', 'exhausted')),
  status integer,
  said text,
  next_at timestamptz,
  primary key (account_id, endpoint_id, attempt),
  foreign key (account_id, endpoint_id) references webhook_endpoints on delete cascade
);
create index webhook_attempts_age on webhook_attempts (made_at);

-- What an event tells that belongs to no delivery.
alter table events add column data json;
-- The newest transaction that told of it: the next one is told as no older, whatever number it got while it waited.
alter table deliveries add column told_tx xid8;
