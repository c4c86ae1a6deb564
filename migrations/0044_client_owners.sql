-- The person whose API client it is: the client ends when that person is disabled or may no longer make clients.
-- Null: the installation's own, made with the operator's token or on the machine.
alter table api_clients add column owner_account_id text;
alter table api_clients add column owner_user_id text;

-- Who made the clients of older releases, as far as the audit log still has it. An operator belongs to the installation.
update api_clients as c set owner_account_id = u.account_id, owner_user_id = u.user_id
from audit_log as a
join users as u on u.user_id = a.actor and u.account_id in (a.account_id, '~')
where a.account_id = c.account_id and a.object = c.client_id and a.action = 'createClient' and a.actor_kind = 'user'
  and u.disabled_at is null and u.role <> 'store_clerk';
