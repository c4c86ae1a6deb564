-- no-transaction
-- Carriers report by what their interface calls a booking.
drop index concurrently if exists deliveries_carrier_ref;
create index concurrently deliveries_carrier_ref on deliveries (account_id, carrier_ref) where carrier_ref is not null;
