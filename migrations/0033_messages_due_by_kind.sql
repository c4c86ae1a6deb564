-- no-transaction
-- SMS and e-mail are claimed apart: a backlog of the one is not stepped over by every claim of the other.
drop index concurrently if exists messages_due_by_kind;
create index concurrently messages_due_by_kind on messages (account_id, kind, due_at) where due_at is not null;
drop index concurrently if exists messages_due;
