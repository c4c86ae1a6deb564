-- Labels and order summaries that carriers make themselves, kept once fetched: their links run out.
create table carrier_labels (
  account_id text not null,
  delivery_id text not null,
  format text not null check (format in ('pdf', 'zpl')),
  -- The booking that it is of: after another booking it is not shown any more.
  ref text not null,
  document bytea not null,
  kept_at timestamptz not null default now(),
  primary key (account_id, delivery_id, format),
  foreign key (account_id, delivery_id) references deliveries
);

create table carrier_order_summaries (
  account_id text not null,
  manifest_id text not null,
  document bytea not null,
  kept_at timestamptz not null default now(),
  primary key (account_id, manifest_id),
  foreign key (account_id, manifest_id) references manifests
);
