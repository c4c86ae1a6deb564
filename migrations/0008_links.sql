-- Links by which customers book the delivery of a click-and-collect order themselves, each at most once.
create table links (
  account_id text not null references accounts,
  link_id text not null,
  -- SHA-256; the token itself is stored nowhere.
  token_hash bytea not null,
  store_id text not null,
  reference text not null,
  request json not null,
  -- Account time, as are the moments below.
  expires_at timestamptz,
  created_at timestamptz not null,
  -- Never goes down: at five the link is locked for good.
  wrong_tries integer not null default 0,
  revoked_at timestamptz,
  used_at timestamptz,
  delivery_id text,
  primary key (account_id, link_id),
  foreign key (account_id, store_id) references stores,
  foreign key (account_id, delivery_id) references deliveries,
  check ((used_at is null) = (delivery_id is null))
);
create unique index links_token on links (account_id, token_hash);
create index links_reference on links (account_id, reference);
