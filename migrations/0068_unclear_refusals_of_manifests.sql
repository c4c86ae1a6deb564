-- A carrier refused the submit with an error that it does not document, so it may have the manifest. Once a look-up
-- has found none, this is why the manifest is refused.
alter table manifests add column unclear_refusal text;
