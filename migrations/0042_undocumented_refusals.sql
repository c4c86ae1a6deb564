-- A carrier's refusal that it doesn't document, seen once: what it means when it is repeated. Null: not seen.
alter table booking_intents add column if not exists if_repeated text
  check (if_repeated in ('another_carrier', 'later', 'nobody'));
