-- The authenticator app of a person (TOTP, RFC 6238), sealed to its row, and the recovery codes that stand in for it.
create table user_factors (
  account_id text not null,
  user_id text not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null default now(),
  -- Null until a code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The step of 30 seconds whose code was used last: no code is used twice.
  last_step bigint not null default 0,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users
);

create table user_recovery_codes (
  account_id text not null,
  user_id text not null,
  -- SHA-256; a code has 80 random bits and needs no salt.
  code_hash bytea not null,
  primary key (account_id, user_id, code_hash),
  foreign key (account_id, user_id) references user_factors on delete cascade
);

-- Whether a code was given at the log-in, or the app was enrolled in this session.
alter table user_sessions add column by_second_factor boolean not null default false;
