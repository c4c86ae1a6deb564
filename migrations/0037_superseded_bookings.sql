-- no-transaction
-- A carrier may hold a booking that we gave up because it was in no list: it is looked for again 10 minutes, an hour and a day later.
drop index concurrently if exists booking_intents_due;
alter table booking_intents
  -- False: it can no longer turn up, because its carrier put it off before taking it, or let it go again.
  add column if not exists may_turn_up boolean not null default true,
  -- Account time, as is due_at: when it was given up, or superseded by the next attempt.
  add column if not exists given_up_at timestamptz,
  -- When its carrier is asked for it again; null: it is not (any more). Each claim counts `fence` up.
  add column if not exists due_at timestamptz,
  add column if not exists lease_until timestamptz,
  -- Since its carrier was last asked with an end of any kind.
  add column if not exists claims integer not null default 0;
create index concurrently booking_intents_due on booking_intents (account_id, due_at) where due_at is not null;
-- What a person has to see to although the status of the delivery is in order, as a sentence.
alter table deliveries add column if not exists attention text;
