-- Stored values in the words of the field (CHANGELOG, "Renamed"): written by no process of an earlier release any more.
update events set type = 'delivery.carrier_update' where type = 'delivery.carrier_news';
update webhook_attempts set type = 'delivery.carrier_update' where type = 'delivery.carrier_news';
update webhook_endpoints set event_types = array_replace(event_types, 'delivery.carrier_news', 'delivery.carrier_update')
where 'delivery.carrier_news' = any(event_types);

update deliveries set decision = replace(replace(decision::text,
    '"asked_back"', '"excluded_by_reassignment"'), '"carrier_off"', '"carrier_disabled"')::json
where decision::text like '%"asked_back"%' or decision::text like '%"carrier_off"%';

alter table messages drop constraint messages_status_check;
update messages set status = 'no_channel' where status = 'kept';
alter table messages add constraint messages_status_check
  check (status in ('queued', 'sent', 'failed', 'expired', 'no_channel', 'suppressed')) not valid;

alter table orphaned_bookings drop constraint orphaned_bookings_outcome_check;
update orphaned_bookings set outcome =
  case outcome when 'kept' then 'refused' when 'by_hand' then 'by_phone_only' when 'given_up' then 'never_confirmed' else outcome end;
alter table orphaned_bookings add constraint orphaned_bookings_outcome_check
  check (outcome in ('cancelled', 'refused', 'by_phone_only', 'never_confirmed')) not valid;
