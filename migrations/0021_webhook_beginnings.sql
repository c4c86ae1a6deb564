-- What had happened when an endpoint was made, seen exactly: the place in the feed where it starts may lie before it.
-- Null for endpoints from before this: they have read past it long ago.
alter table webhook_endpoints add column begins pg_snapshot;
