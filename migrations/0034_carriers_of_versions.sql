-- no-transaction
-- Carriers beside their document: those that have left are read for what they still have, and a chain's document is
-- megabytes. Null: written by code that did not know of it.
alter table account_versions add column if not exists carriers json;
update account_versions set carriers = document->'carriers' where carriers is null;
