-- Accounts as code: the documents, the ids their references got, who may call and what they must not show.
create table accounts (
  account_id text primary key,
  version integer not null check (version > 0),
  -- Counts every change that running processes must see: documents, clients, clock, secrets.
  revision bigint not null default 1,
  mode text not null check (mode in ('sandbox', 'live')),
  -- Account time minus wall time; only sandbox accounts may have one.
  clock_offset_ms bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (mode = 'sandbox' or clock_offset_ms = 0)
);

create table account_versions (
  account_id text not null references accounts,
  version integer not null,
  document json not null,
  applied_at timestamptz not null default now(),
  applied_by text not null,
  primary key (account_id, version)
);

create table brands (
  account_id text not null references accounts,
  brand_id text not null,
  reference text not null,
  primary key (account_id, brand_id),
  unique (account_id, reference)
);

create table stores (
  account_id text not null references accounts,
  store_id text not null,
  reference text not null,
  -- A store that left the document keeps its id and its deliveries.
  retired_at timestamptz,
  primary key (account_id, store_id),
  unique (account_id, reference)
);

create table api_clients (
  account_id text not null references accounts,
  client_id text not null,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  -- Null: every store of the account.
  store_references text[],
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (account_id, client_id)
);

-- Carriers' credentials: AES-256-GCM, bound to account and name.
create table secrets (
  account_id text not null references accounts,
  name text not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);
