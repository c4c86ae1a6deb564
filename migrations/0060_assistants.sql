-- Assistants that people connect to the MCP endpoint: OAuth clients, registered by the account's admins. They are public
-- clients (RFC 6749, 2.1), so they have no secret.
create table assistants (
  account_id text not null,
  assistant_id text not null,
  name text not null,
  -- Compared character by character (RFC 9700, 2.1).
  redirect_urls text[] not null,
  created_at timestamptz not null default now(),
  primary key (account_id, assistant_id)
);

-- What a person has allowed an assistant: first an authorization code, then a series of refresh tokens.
create table assistant_grants (
  account_id text not null,
  grant_id text not null,
  assistant_id text not null,
  user_id text not null,
  -- The person's role when they allowed it: another role ends the access.
  role text not null,
  access text not null check (access in ('read', 'write')),
  -- SHA-256 of the authorization code. It stays, so that a code that is used again is recognised.
  code_hash bytea not null,
  -- PKCE, S256.
  code_challenge text not null,
  redirect_url text not null,
  created_at timestamptz not null default now(),
  -- Null: the code has not been exchanged yet.
  exchanged_at timestamptz,
  -- The number of the refresh token that is valid. Tokens with lower numbers have been used.
  refresh_number integer not null default 0,
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, grant_id),
  unique (account_id, code_hash)
);
create index assistant_grants_user on assistant_grants (account_id, user_id);
create index assistant_grants_assistant on assistant_grants (account_id, assistant_id);
create index assistant_grants_age on assistant_grants (account_id, expires_at);
