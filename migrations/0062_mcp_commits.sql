-- What clients have committed through MCP, for their spending limit: one row for each confirmation.
create table mcp_commits (
  account_id text not null,
  -- The idempotency key of the commit: a repeated confirmation counts once.
  commit_key text not null,
  -- An API client or an assistant.
  client_id text not null,
  -- Of the account's time zone and clock.
  day date not null,
  -- Null: the commit makes a delivery, and has not ended.
  delivery_id text,
  cents integer not null,
  -- False: the commit has not ended, so its price counts whatever the delivery's status is.
  is_settled boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (account_id, commit_key)
);
create index mcp_commits_day on mcp_commits (account_id, day, client_id);
create index mcp_commits_age on mcp_commits (account_id, created_at);
