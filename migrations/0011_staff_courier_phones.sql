-- no-transaction
create index concurrently staff_couriers_phone on staff_couriers (account_id, phone);
