-- After pg_restore into another cluster: events are told in the order of PostgreSQL's transaction numbers, a dump keeps
-- the old numbers, and the new cluster counts from its beginning. Until it has passed them no feed and no webhook tells
-- anything. This uses numbers up (some 170,000 a second), and does nothing where it has been passed already.
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f docs/operations/after-restore.sql
set synchronous_commit = off;
do $$
declare
  newest xid8 := (
    select max(e.tx) from accounts as a cross join lateral (
      select tx from events where account_id = a.account_id order by tx desc, position desc limit 1) as e);
begin
  while pg_current_xact_id() <= newest loop
    commit;
  end loop;
end $$;
