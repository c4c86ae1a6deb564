-- no-transaction
-- A delivery has six messages or so: an index without their ids keeps one entry for them where it kept six.
drop index concurrently if exists messages_of_delivery;
create index concurrently messages_of_delivery on messages (account_id, delivery_id) where delivery_id is not null;
drop index concurrently if exists messages_delivery;
-- Only cursors from before events had feed positions needed it, and the positions are in the same order.
drop index concurrently if exists events_feed;
