-- The sandbox carriers' own world: what they were asked, what they carry. Nothing else reads or writes it.
create table sandbox_ledger (
  account_id text not null references accounts,
  entry bigint generated always as identity,
  at timestamptz not null,
  carrier text not null,
  operation text not null,
  reference text not null,
  idempotency_key text,
  outcome text not null,
  consignment_number text,
  primary key (account_id, entry)
);
create index sandbox_ledger_reference on sandbox_ledger (account_id, reference, entry);

create table sandbox_consignments (
  account_id text not null references accounts,
  consignment_number text not null,
  carrier text not null,
  -- The caller's reference at this carrier, and its key where the carrier honours keys.
  reference text not null,
  idempotency_key text,
  merchant_reference text not null,
  request json not null,
  answer json not null,
  booked_at timestamptz not null,
  -- Wall time from which a look-up by reference finds it.
  findable_from timestamptz not null,
  cancelled_at timestamptz,
  -- How many of its events were pushed to us, and when the next is due (account time).
  pushed integer not null default 0,
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  claims integer not null default 0,
  parked_at timestamptz,
  parked_reason text,
  primary key (account_id, consignment_number)
);
create unique index sandbox_consignments_key on sandbox_consignments (account_id, carrier, idempotency_key)
  where idempotency_key is not null;
create index sandbox_consignments_reference on sandbox_consignments (account_id, carrier, reference);
create index sandbox_consignments_due on sandbox_consignments (account_id, due_at) where due_at is not null;
