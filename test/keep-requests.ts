import type { Db } from '../src/store/db/db.ts'
import { ON_CITUS } from './database.ts'

/** Accepted attempts keep their requests from now on, so that a test can make one of them unanswered again. */
export async function keepRequests(db: Db): Promise<void> {
  await db.query(`create or replace function keep_request() returns trigger language plpgsql as $$
    begin
      new.consignment := old.consignment;
      new.option := old.option;
      return new;
    end $$`)
  // Citus creates the trigger on the shards only if this setting allows it, on the same connection.
  await db.query(`do $$ begin
    ${ON_CITUS ? `perform set_config('citus.enable_unsafe_triggers', 'on', true);` : ''}
    create or replace trigger keep_request before update on booking_intents
      for each row execute function keep_request();
  end $$`)
}
