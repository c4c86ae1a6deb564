-- What people see of their own sessions. An earlier release inserts sessions without these columns: hence the default.
alter table user_sessions add column session_id text not null default 'ses_' || replace(gen_random_uuid()::text, '-', '');
alter table user_sessions add constraint user_sessions_id unique (account_id, session_id);
-- The browser's family and system, not its whole header.
alter table user_sessions add column browser text;
-- The address of the log-in. It goes with the row, at most 24 hours after the log-in; the audit log keeps it longer.
alter table user_sessions add column ip text;
-- Failed log-ins between the user's log-in before this one and this one.
alter table user_sessions add column failed_before integer not null default 0;
alter table user_sessions add column last_failed_before timestamptz;

-- Failed log-ins since the user's last log-in: wrong passwords and wrong codes.
alter table users add column failed_logins integer not null default 0;
alter table users add column last_failed_login_at timestamptz;
