-- Where the driver put it, so that customers are shown photos of doors and not of people.
alter table delivery_proofs add column place text check (place in ('at_door', 'with_person'));
