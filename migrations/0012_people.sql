-- People: who may enter, how they prove who they are, and for how long that holds. All of it is wall time.
create table users (
  -- '~' holds the installation's own operators; no account can be called so.
  account_id text not null,
  user_id text not null,
  -- In small letters: a person is one user of an account however the address is written.
  email text not null,
  name text,
  role text not null check (role in ('operator', 'merchant_admin', 'store_clerk')),
  -- Null: every store of the account.
  store_references text[],
  -- Null until an invitation is accepted.
  password_hash text,
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  last_login_at timestamptz,
  primary key (account_id, user_id),
  unique (account_id, email),
  check ((role = 'operator') = (account_id = '~')),
  check ((role = 'store_clerk') = (store_references is not null))
);

-- Addresses by which a password is set, each once: by whom was invited, or who has forgotten it.
create table user_links (
  account_id text not null,
  -- The message that carries it; the token is made of that, and only its SHA-256 is stored.
  link_id text not null,
  user_id text not null,
  purpose text not null check (purpose in ('invitation', 'password_reset')),
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, link_id),
  foreign key (account_id, user_id) references users
);
create unique index user_links_token on user_links (account_id, token_hash);
create unique index user_links_user on user_links (account_id, user_id, purpose);

create table user_sessions (
  account_id text not null,
  token_hash bytea not null,
  user_id text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, token_hash),
  foreign key (account_id, user_id) references users
);
create index user_sessions_user on user_sessions (account_id, user_id);
create index user_sessions_age on user_sessions (account_id, expires_at);

-- Tries at logging in, by e-mail whether or not anybody has it, and by address. Before an account is known: all under '~'.
create table login_tries (
  account_id text not null,
  -- SHA-256 of what is counted.
  name bytea not null,
  tries integer not null,
  ends_at timestamptz not null,
  primary key (account_id, name)
);
create index login_tries_age on login_tries (account_id, ends_at);

-- What is sent to the account's own people belongs to no store.
alter table messages alter column store_id drop not null;
