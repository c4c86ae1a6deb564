-- Messages to people: written in the same breath as what they tell, kept readable whatever becomes of them.
create table messages (
  account_id text not null references accounts,
  -- Made of the event's id and the channel where an event causes it: no event is told twice.
  message_id text not null,
  kind text not null check (kind in ('sms', 'email')),
  recipient text not null,
  template text not null,
  store_id text not null,
  delivery_id text,
  link_id text,
  -- Null until it is worded, right before it is first sent. A link's secret is never in it.
  subject text,
  body text,
  status text not null check (status in ('queued', 'sent', 'failed', 'expired', 'kept', 'suppressed')),
  said text,
  attempts integer not null default 0,
  -- Set before the world is asked, cleared by its answer: found set by a later claim, nobody knows what came of it.
  asked_at timestamptz,
  -- Account time, as are not_after, sent_at and due_at; leases are wall time.
  created_at timestamptz not null,
  not_after timestamptz not null,
  sent_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  fence bigint not null default 0,
  claims integer not null default 0,
  primary key (account_id, message_id),
  foreign key (account_id, store_id) references stores
);
create index messages_due on messages (account_id, due_at) where due_at is not null;
create index messages_delivery on messages (account_id, delivery_id, message_id) where delivery_id is not null;
