-- Passkeys (WebAuthn, discoverable credentials) with which people log in, without password and code.
create table user_passkeys (
  account_id text not null,
  user_id text not null,
  passkey_id text not null,
  -- Chosen by the authenticator; a log-in names it.
  credential_id bytea not null,
  -- COSE key.
  public_key bytea not null,
  -- The authenticator's count of its uses; stays 0 for passkeys that are synced between devices.
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  -- Whether the passkey is synced, so that it outlives its device.
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (account_id, user_id, passkey_id),
  unique (account_id, credential_id),
  foreign key (account_id, user_id) references users on delete cascade
);

-- Challenges are signed and not stored. A used one is kept until it expires, so that no answer works twice.
create table used_passkey_challenges (
  account_id text not null,
  -- SHA-256.
  challenge_hash bytea not null,
  expires_at timestamptz not null,
  primary key (account_id, challenge_hash)
);
create index used_passkey_challenges_age on used_passkey_challenges (account_id, expires_at);
