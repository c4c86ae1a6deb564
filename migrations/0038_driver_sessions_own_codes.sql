-- A driver's session opens an account only where a code of that account was entered. Sessions that an older version
-- opened for several accounts with the code of one of them stay false: they open nothing any more.
alter table driver_sessions add column own_code boolean not null default false;
