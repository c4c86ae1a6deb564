-- Carriers that an operator has switched off for an account: nothing new is given to them.
create table carrier_switches (
  account_id text not null references accounts,
  provider text not null,
  off_since timestamptz not null,
  reason text,
  primary key (account_id, provider)
);

-- Asked back from its carrier to be planned anew, not to be cancelled.
alter table deliveries add column replan_requested boolean not null default false;
