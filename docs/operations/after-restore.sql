-- After a restore to an earlier moment: readers of GET /{t}/events may have read further than that, and have cursors of places
-- that the account has not reached yet. Every account goes on so far beyond that no cursor is ahead of it: else its reader
-- would miss what happens until the account has caught up. Before the first process is started:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f docs/operations/after-restore.sql
update event_sequences set last_place = last_place + 1000000000;
