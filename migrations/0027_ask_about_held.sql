-- What is on hold because nobody knows whether its carrier took it goes on being asked about: so does what was held before.
update deliveries set due_at = updated_at
  where status = 'on_hold' and open_attempt is not null and due_at is null and parked_at is null;
