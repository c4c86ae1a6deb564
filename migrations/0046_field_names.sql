-- Tables and columns in the words of the field (CHANGELOG, "Renamed"). Processes of an earlier release cannot run
-- against these names: stop them all before this migration. Nothing is rewritten: renames change the catalogue only.
alter table stray_bookings rename to orphaned_bookings;
alter table orphaned_bookings rename column tries to attempts;
alter table orphaned_bookings rename constraint stray_bookings_pkey to orphaned_bookings_pkey;
alter table orphaned_bookings rename constraint stray_bookings_outcome_check to orphaned_bookings_outcome_check;
alter table orphaned_bookings rename constraint stray_bookings_check to orphaned_bookings_check;
alter index stray_bookings_delivery rename to orphaned_bookings_delivery;
alter index stray_bookings_due rename to orphaned_bookings_due;

alter table carrier_budgets rename to carrier_quotas;
alter table carrier_quotas rename column taken to request_times;
alter table carrier_quotas rename constraint carrier_budgets_pkey to carrier_quotas_pkey;

alter table login_tries rename to login_attempts;
alter table login_attempts rename column tries to attempts;
alter table login_attempts rename constraint login_tries_pkey to login_attempts_pkey;
alter index login_tries_age rename to login_attempts_age;

alter table deliveries rename column booking_tries to booking_attempts;
alter table deliveries rename column open_attempt to pending_attempt;
alter table deliveries rename column refusals_from to refusals_valid_from_attempt;
alter table deliveries rename column parked_at to dead_lettered_at;
alter table deliveries rename column parked_reason to dead_letter_reason;
alter table deliveries rename column told_tx to last_event_tx;
alter table deliveries rename column avoided_providers to excluded_providers;
alter table deliveries rename column cause to traceparent;

alter table booking_intents rename column said to carrier_message;
alter table booking_intents rename column may_turn_up to may_still_appear;
alter table booking_intents rename column given_up_at to abandoned_at;
alter table booking_intents rename column if_repeated to refusal_if_repeated;
alter table booking_intents rename column asked_at to requested_at;
alter table booking_intents rename constraint booking_intents_if_repeated_check to booking_intents_refusal_if_repeated_check;
alter index booking_intents_unanswered rename to booking_intents_outcome_unknown;

alter table carrier_events rename column said to carrier_message;
alter table carrier_labels rename column kept_at to stored_at;
alter table carrier_order_summaries rename column kept_at to stored_at;
alter table carrier_outages rename column dark_since to started_at;
alter table carrier_outages rename column asked_back_at to recall_started_at;
alter table carrier_switches rename column gone to decommissioned;
alter table carrier_switches rename column off_since to disabled_since;

alter table manifests rename column asked to submission_state;
alter table manifests rename column tries to attempts;
alter table manifests rename column cause to traceparent;
alter table manifests rename constraint manifests_asked_check to manifests_submission_state_check;
alter table manifest_deliveries rename column left_as to consigned_snapshot;
alter table allocation_jobs rename column cause to traceparent;

alter table events rename column cause to traceparent;
alter table events rename column place to feed_position;
alter index events_place rename to events_feed_position;
alter index events_own_place rename to events_own_feed_position;
alter index events_told rename to events_age;
alter table event_sequences rename column last_place to last_feed_position;

alter table messages rename column said to response_excerpt;
alter table messages rename column asked_at to send_started_at;
alter table messages rename column not_after to expires_at;
alter table messages rename column cause to traceparent;

alter table webhook_attempts rename column said to response_excerpt;
alter table webhook_endpoints rename column begins to start_snapshot;
alter table webhook_endpoints rename column held_until to backoff_until;
alter table webhook_endpoints rename column old_key_id to previous_key_id;
alter table webhook_endpoints rename column old_nonce to previous_nonce;
alter table webhook_endpoints rename column old_ciphertext to previous_ciphertext;
alter table webhook_endpoints rename column old_until to previous_valid_until;
alter table webhook_endpoints rename column cursor_place to cursor_feed_position;
alter table webhook_replays rename column after_place to after_feed_position;
alter table webhook_replays rename column until_place to until_feed_position;

alter table links rename column wrong_tries to failed_attempts;
alter table courier_offers rename column pin_tries to pin_attempts;
alter table sandbox_consignments rename column parked_at to dead_lettered_at;
alter table sandbox_consignments rename column parked_reason to dead_letter_reason;

alter table driver_codes rename column tries to attempts;
