-- no-transaction
-- A search folded the JSON of the newest 20,000 deliveries, half a second for each; the folded text is kept now. Rows without it are folded as before. A name finds older deliveries by the index.
alter table deliveries add column if not exists search_key text collate "C";
drop index concurrently if exists deliveries_search;
create index concurrently deliveries_search on deliveries (account_id, search_key, delivery_id)
  where search_key is not null;
-- Of history it kept every delivery that had ended without a manifest.
drop index concurrently if exists deliveries_manifestable;
create index concurrently deliveries_manifestable on deliveries (account_id, store_id, delivery_id)
  where manifest_id is null and consignment_number is not null and manifest_status in ('pending', 'ready')
    and status in ('booked', 'assigned', 'approaching', 'collected');
drop index concurrently if exists deliveries_to_manifest;
