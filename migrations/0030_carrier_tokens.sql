-- The sign-in at a carrier that all processes share, sealed; one that no key opens is asked for anew.
create table carrier_tokens (
  account_id text not null references accounts,
  provider text not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, provider)
);
