-- Who a person is at their account's OpenID Connect provider. Issuer and subject name the person, never an e-mail address.
create table user_identities (
  account_id text not null,
  user_id text not null,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- A person has one identity at a provider.
  primary key (account_id, user_id, issuer),
  unique (account_id, issuer, subject),
  foreign key (account_id, user_id) references users on delete cascade
);

-- The log-ins by OpenID Connect whose answer has been used, until they would have expired: each is used once.
create table used_openid_states (
  account_id text not null,
  state_hash bytea not null,
  expires_at timestamptz not null,
  primary key (account_id, state_hash)
);
create index used_openid_states_by_end on used_openid_states (account_id, expires_at);
