-- Carriers that do not answer, carriers that will collect nothing more, and who may not have a delivery again.
create table carrier_outages (
  account_id text not null references accounts,
  provider text not null,
  -- Account time, as are asked_back_at and due_at; leases are wall time.
  dark_since timestamptz not null,
  -- When what it had not collected was asked back; null: it was not.
  asked_back_at timestamptz,
  -- When it is asked next whether it is back.
  due_at timestamptz not null,
  lease_until timestamptz,
  fence bigint not null default 0,
  primary key (account_id, provider)
);

-- Switched off for good: its silence is taken for a yes.
alter table carrier_switches add column gone boolean not null default false;

-- Carriers that it was asked back from by a person, to go with another one.
alter table deliveries add column avoided_providers text[] not null default '{}';
