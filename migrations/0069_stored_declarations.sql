-- The dangerous goods declaration of a booking is stored at its first reading. Not valid: existing rows satisfy the
-- narrower check already.
alter table carrier_labels drop constraint carrier_labels_format_check;
alter table carrier_labels add constraint carrier_labels_format_check
  check (format in ('pdf', 'zpl', 'declaration')) not valid;
