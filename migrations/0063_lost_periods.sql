-- After a restore to an earlier moment: the numbers of the attempts that the lost period may have used, and the other
-- carriers that they may have been sent to. Null: an attempt of an ordinary booking.
alter table booking_intents add column if not exists lost_period json;
