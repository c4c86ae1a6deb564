-- Citus fires row triggers only, on the shards: a statement trigger would let an update of the log pass in silence.
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_not_truncated before truncate on audit_log
  for each statement execute function refuse_audit_change();
