-- When a client was last heard of, and when somebody first tried a link: who revokes wants to know what is still in use.
alter table api_clients add column if not exists last_used_at timestamptz;
-- Account time, as are the other moments of a link.
alter table links add column if not exists opened_at timestamptz;
