-- Foreign keys of the tables that the migration before created: Citus distributes those in between.
alter table assistants add foreign key (account_id) references accounts;
alter table assistant_grants add foreign key (account_id, assistant_id) references assistants on delete cascade;
alter table assistant_grants add foreign key (account_id, user_id) references users on delete cascade;
