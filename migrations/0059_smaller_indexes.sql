-- no-transaction
-- Without their ids in the index, PostgreSQL stores one entry for all messages of a delivery, not six (deduplication).
drop index concurrently if exists messages_of_delivery;
create index concurrently messages_of_delivery on messages (account_id, delivery_id) where delivery_id is not null;
drop index concurrently if exists messages_delivery;
-- Only cursors from before events had feed positions needed it, and the positions are in the same order.
drop index concurrently if exists events_feed;
