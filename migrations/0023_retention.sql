-- Personal data goes when the account's period is over: what was erased says so, and each account how far its sweep has come.
-- Its customer is gone from it; account time.
alter table deliveries add column erased_at timestamptz;

create table retention_sweeps (
  account_id text primary key references accounts,
  -- Every delivery up to this one has been looked at: their ids sort by the time they were made.
  erased_to text not null default '',
  -- When nothing more was over, by the wall clock; null: not yet.
  swept_at timestamptz
);

-- The log no longer grows for ever, and what is younger than 400 days still cannot be taken away by anybody.
create function keep_young_audit_rows() returns trigger language plpgsql as $$
begin
  if old.at > now() - interval '400 days' then
    raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or truncate on audit_log
  for each statement execute function refuse_audit_change();
create trigger audit_log_kept before delete on audit_log
  for each row execute function keep_young_audit_rows();
