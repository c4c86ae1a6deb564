-- When the account's first label was fetched: a new account's list of first steps ticks it. Null: none yet, or before this.
alter table accounts add column first_label_at timestamptz;
