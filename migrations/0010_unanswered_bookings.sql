-- no-transaction
-- Carriers' news may come before their yes: whether any yes is still out is asked by carrier.
drop index concurrently if exists booking_intents_unanswered;
create index concurrently booking_intents_unanswered on booking_intents (account_id, provider)
  where state in ('sent', 'unknown');
