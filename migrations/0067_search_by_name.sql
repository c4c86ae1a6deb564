-- no-transaction
-- The old index contained the whole search key, with every article's number. An entry has at most 2,704 bytes, so
-- PostgreSQL rejected the booking of a delivery with hundreds of articles. A search by name needs only the beginning.
drop index concurrently if exists deliveries_names;
create index concurrently deliveries_names
  on deliveries (account_id, (left(search_key, 60)), delivery_id) where search_key is not null;
drop index concurrently if exists deliveries_search;
