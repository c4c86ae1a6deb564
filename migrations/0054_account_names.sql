-- Accounts are listed without their documents, of which a process keeps only those that it needs.
alter table accounts add column name text;
update accounts as a set name = v.document->>'name'
from account_versions as v where v.account_id = a.account_id and v.version = a.version;
