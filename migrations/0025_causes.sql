-- The request that work, a message or an event goes back to, as a W3C traceparent: so that its trace goes on in another
-- process. Null where nobody traces, which takes no room in a row.
alter table deliveries add column cause text;
alter table manifests add column cause text;
alter table allocation_jobs add column cause text;
alter table messages add column cause text;
alter table events add column cause text;
