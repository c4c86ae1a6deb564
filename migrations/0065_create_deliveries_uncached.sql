-- Citus splits a statement if one of its `with` queries is an `insert … select`, and runs each part through the coordinator.
-- It sends a call of this function whole to the node that has `of_account` ("function call delegation"). The other accounts
-- in `given` should be on that node too. Returns the ids of the deliveries that it created; the references of the others
-- are taken.
--
-- Each insert calls `clock_timestamp()`, because Citus 13.2 caches no plan for a statement with a volatile function. For
-- other inserts it caches a plan at each execution and never finds it again, so a connection's memory grows by at least
-- 100 kB for each delivery.
create or replace function create_deliveries(of_account text, given json) returns text[] language plpgsql as $$
declare
  d record;
  created text[] := '{}';
begin
  for d in select * from json_to_recordset(given) as g(
    account_id text, delivery_id text, store_id text, brand_id text, reference text, status_reason text, content json,
    delivery_type text, delivery_mode text, chosen json, decision text, window_from timestamptz, window_to timestamptz,
    ready_for_pickup_at timestamptz, carrier_provider text, manifest_status text, account_version integer,
    created_at timestamptz, due_at timestamptz, lease_ms integer, search_text text, traceparent text,
    created_event text, created_position bigint, requested_event text, requested_position bigint,
    key text, fingerprint text, key_status integer, key_headers json, key_body text, locked_seconds integer,
    audit_id text, actor_kind text, actor text, action text, ip text, request_id text)
  loop
    insert into deliveries (
      account_id, delivery_id, store_id, brand_id, reference, status, status_reason, content, delivery_type,
      delivery_mode, chosen, decision, decided_at, window_from, window_to, ready_for_pickup_at, carrier_provider,
      manifest_status, account_version, created_at, updated_at, requested_at, due_at, traceparent, search_key,
      lease_until, fence, claims)
    values (
      d.account_id, d.delivery_id, d.store_id, d.brand_id, d.reference, 'requested', d.status_reason, d.content,
      d.delivery_type, d.delivery_mode, d.chosen, d.decision::json, d.created_at, d.window_from, d.window_to,
      d.ready_for_pickup_at, d.carrier_provider, d.manifest_status, d.account_version, d.created_at, d.created_at,
      d.created_at, d.due_at, d.traceparent, search_key(d.search_text),
      clock_timestamp() + nullif(d.lease_ms, 0) * interval '1 millisecond',
      case when d.lease_ms > 0 then 1 else 0 end, case when d.lease_ms > 0 then 1 else 0 end)
    on conflict (account_id, reference, store_id) do nothing;
    continue when not found;
    created := created || d.delivery_id;
    -- The caller passes positions from the coordinator's sequence: a worker's has its own range, and the coordinator
    -- numbers later events.
    insert into events (
      account_id, stream, position, reference, event_id, type, at, source, from_status, to_status, traceparent)
    overriding system value
    values
      (d.account_id, d.delivery_id, d.created_position, d.reference, d.created_event, 'delivery.created',
        coalesce(d.created_at, clock_timestamp()),
        'api', null, 'created', d.traceparent),
      (d.account_id, d.delivery_id, d.requested_position, d.reference, d.requested_event, 'delivery.requested',
        d.created_at, 'api', 'created', 'requested', d.traceparent);
    if d.key is not null then
      insert into idempotency_keys (
        account_id, key, fingerprint, status, headers, body, delivery_id, locked_until)
      values (
        d.account_id, d.key, decode(d.fingerprint, 'hex'), d.key_status, d.key_headers, d.key_body, d.delivery_id,
        clock_timestamp() + d.locked_seconds * interval '1 second');
    end if;
    if d.audit_id is not null then
      insert into audit_log (account_id, audit_id, at, actor_kind, actor, action, object, ip, request_id)
      values (d.account_id, d.audit_id, clock_timestamp(), d.actor_kind, d.actor, d.action, d.delivery_id, d.ip, d.request_id);
    end if;
  end loop;
  return created;
end $$;
