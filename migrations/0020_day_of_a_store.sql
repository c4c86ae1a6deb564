-- no-transaction
-- What a store has to do with on one day is found without reading its history: what is still open, and what ended when.
drop index concurrently if exists deliveries_open;
create index concurrently deliveries_open on deliveries (account_id, store_id, delivery_id desc)
  where status not in ('delivered', 'returned', 'cancelled');
drop index concurrently if exists deliveries_ended;
create index concurrently deliveries_ended on deliveries (account_id, store_id, updated_at)
  where status in ('delivered', 'returned', 'cancelled');
