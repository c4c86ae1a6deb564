-- Run this after a restore to an earlier moment, before the first process starts. Readers of GET /{t}/events may hold cursors
-- beyond the restored events, and would miss new events until their account passed the cursor. So this moves the next place
-- of every account beyond any cursor:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f docs/operations/after-restore.sql
update event_sequences set last_feed_position = last_feed_position + 1000000000;
