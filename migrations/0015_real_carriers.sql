-- What a carrier's interface calls a booking, where that is not its consignment number.
alter table deliveries add column carrier_ref text;

-- A carrier's limit on requests, kept by all processes together: when they were made, a row for each limit.
create table carrier_budgets (
  account_id text not null references accounts,
  name text not null,
  taken timestamptz[] not null,
  primary key (account_id, name)
);
