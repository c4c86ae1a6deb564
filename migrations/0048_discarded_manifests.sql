-- A manifest that nobody will submit can be discarded. Not valid: existing rows satisfy the narrower check already.
alter table manifests drop constraint manifests_state_check;
alter table manifests add constraint manifests_state_check
  check (state in ('draft', 'submitting', 'submitted', 'on_hold', 'refused', 'discarded')) not valid;
