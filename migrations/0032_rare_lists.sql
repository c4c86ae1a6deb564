-- no-transaction
-- Lists by manifest status, and of what ended undelivered, are found without reading the history from its end.
-- The store stands last in both: what is of others is passed over inside the index.
drop index concurrently if exists deliveries_manifest_status;
create index concurrently deliveries_manifest_status on deliveries (account_id, manifest_status, delivery_id, store_id);
drop index concurrently if exists deliveries_undelivered;
create index concurrently deliveries_undelivered on deliveries (account_id, status, delivery_id, store_id)
  where status in ('returned', 'cancelled');
