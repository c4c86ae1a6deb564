-- no-transaction
-- What is told of no delivery, in the feed's order: who reads of some stores finds theirs among it.
drop index concurrently if exists events_own;
create index concurrently events_own on events (account_id, tx, position) where stream = '';
