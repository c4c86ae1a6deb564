-- Who changed what: one row for each operation that did, never changed and never taken away.
create table audit_log (
  -- '~': what concerns the installation and no account of it.
  account_id text not null,
  -- Sorts by time.
  audit_id text not null,
  -- The wall clock.
  at timestamptz not null default now(),
  actor_kind text not null check (actor_kind in ('client', 'user', 'operator', 'driver', 'link', 'command')),
  actor text not null,
  -- The operationId of the interface.
  action text not null,
  object text,
  -- What was before and after, where the operation knows.
  before json,
  after json,
  ip text,
  request_id text,
  primary key (account_id, audit_id)
);

-- A trigger and not only a right: it holds for the owner as well, and a role without the right could be the owner.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
