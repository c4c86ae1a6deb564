-- What a delivery stood as at the carrier when it left a manifest that held it: the carrier's order names that for good.
alter table manifest_deliveries add column left_as json;
-- All of it may have gone elsewhere before the carrier is asked.
alter table manifests drop constraint manifests_deliveries_check;
