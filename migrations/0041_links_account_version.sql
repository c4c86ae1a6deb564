-- The version of the account by whose rules a link was made; null for those that are older than this column.
alter table links add column if not exists account_version integer;
