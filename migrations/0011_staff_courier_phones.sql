-- no-transaction
-- Drivers log in by phone, and are found by it in each account.
drop index concurrently if exists staff_couriers_phone;
create index concurrently staff_couriers_phone on staff_couriers (account_id, phone);
