-- no-transaction
-- The index had the whole search key with every article's number, and PostgreSQL refused the booking of a delivery with
-- hundreds of articles: an index entry has at most 2,704 bytes. A search by name reads only the beginning.
drop index concurrently if exists deliveries_names;
create index concurrently deliveries_names
  on deliveries (account_id, (left(search_key, 60)), delivery_id) where search_key is not null;
drop index concurrently if exists deliveries_search;
