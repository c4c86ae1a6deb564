-- Carriers bring proofs too, some time after the door: a delivery says whether there is one.
alter table deliveries add column has_proof boolean not null default false;
