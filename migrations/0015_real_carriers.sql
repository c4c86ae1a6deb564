-- What a carrier's interface calls a booking, where that is not its consignment number.
alter table deliveries add column carrier_ref text;

-- A carrier's limit on requests, kept by all processes together: a row for each limit of each sign-in.
create table carrier_budgets (
  account_id text not null references accounts,
  name text not null,
  -- When what was taken is all given back: a request may go while that is less than a whole period ahead.
  full_at timestamptz not null,
  primary key (account_id, name)
);
