-- How many SMS each account has sent on a day of its own zone, by the wall clock: all processes share its ceiling.
create table sms_days (
  account_id text not null references accounts,
  day date not null,
  sent integer not null default 0,
  -- When an SMS first had to wait because the day's ceiling was reached.
  reached_at timestamptz,
  primary key (account_id, day)
);
