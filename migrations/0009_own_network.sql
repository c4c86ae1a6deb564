-- The merchant's own couriers: who they are, what they were offered, how they log in, what they proved.
alter table staff_couriers
  add column created_at timestamptz not null default now(),
  -- A courier who was taken off the list stays off it, also when the account document still names him.
  add column removed_at timestamptz,
  add column lat double precision,
  add column lng double precision,
  add column accuracy_m double precision,
  add column located_at timestamptz;

-- Each time a delivery is offered to a courier. Whose it is stands in the delivery itself, and its row decides races.
create table courier_offers (
  account_id text not null,
  delivery_id text not null,
  offer integer not null,
  phone text not null,
  driver_name text not null,
  -- Of the link in the SMS; the link itself is stored nowhere.
  token_hash bytea not null,
  -- Account time.
  offered_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null while it is unanswered.
  outcome text check (outcome in ('accepted', 'refused', 'expired', 'withdrawn', 'given_back')),
  reason text,
  ended_at timestamptz,
  -- Still something for the driver to do.
  live boolean not null default true,
  pin_tries integer not null default 0,
  primary key (account_id, delivery_id, offer),
  foreign key (account_id, delivery_id) references deliveries
);
create unique index courier_offers_one_live on courier_offers (account_id, delivery_id) where live;
create index courier_offers_driver on courier_offers (account_id, phone) where live;
create index courier_offers_token on courier_offers (account_id, token_hash);

-- One code a phone. Everything about log-in is wall time. The code is made of the nonce and our secret key: it is not stored.
create table driver_codes (
  account_id text not null references accounts,
  phone text not null,
  nonce text not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Codes asked for in the hour that began then.
  hour_from timestamptz not null default now(),
  asked integer not null default 1,
  primary key (account_id, phone)
);
create index driver_codes_age on driver_codes (account_id, expires_at);

create table driver_sessions (
  account_id text not null references accounts,
  token_hash bytea not null,
  phone text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, token_hash)
);
create index driver_sessions_age on driver_sessions (account_id, expires_at);

-- What a driver brought back from the door. The phone makes the id, so that what it sends twice arrives once.
create table delivery_proofs (
  account_id text not null,
  delivery_id text not null,
  proof_id text not null,
  kind text not null check (kind in ('photo', 'signature', 'pin')),
  outcome text not null check (outcome in ('delivered', 'failed')),
  phone text not null,
  driver_name text not null,
  signed_by text,
  strokes json,
  media_type text,
  bytes bytea,
  sha256 bytea,
  size integer,
  lat double precision,
  lng double precision,
  -- The phone's own time, and when it arrived here (account time).
  at timestamptz not null,
  received_at timestamptz not null,
  primary key (account_id, delivery_id, proof_id),
  foreign key (account_id, delivery_id) references deliveries
);
