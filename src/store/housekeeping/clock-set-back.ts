import type { PoolClient } from 'pg'

/**
 * Moves what waits for its next try back with its account's clock, by `byMs`: what was due in 8 s is due in 8 s
 * still. What is due at a named time stays there: a booking its lead before the order is ready, the end of
 * an offer.
 */
export async function shiftPauses(db: PoolClient, accountId: string, byMs: number): Promise<void> {
  for (const text of BEFORE_DELIVERIES) await db.query(text, [accountId, byMs])
  for (const text of [DELIVERIES, MESSAGES, INTENTS]) await db.query(text, [accountId, byMs])
}

/** Subtracts in UTC. `timestamptz - interval` depends on the session’s time zone, and Citus rejects it here. */
const back = (column: string) =>
  `${column} = (${column} at time zone 'UTC' - $2 * interval '1 millisecond') at time zone 'UTC'`

/**
 * Each table's rows are locked in one order, and the tables in that of those who write several: an endpoint before its
 * sends, a manifest before its deliveries, a delivery before its messages.
 */
const BEFORE_DELIVERIES = [
  `with held as (
      select endpoint_id from webhook_endpoints where account_id = $1 order by endpoint_id for update)
    update webhook_endpoints as w
    set ${back('backoff_until')}, ${back('failing_since')}
    from held where w.account_id = $1 and w.endpoint_id = held.endpoint_id`,
  `update webhook_sends set ${back('due_at')}, ${back('first_at')} where account_id = $1`,
  // Only rejected pushes wait for a retry.
  `update sandbox_consignments set ${back('due_at')} where account_id = $1 and due_at is not null and claims > 0`,
  `update carrier_outages set ${back('due_at')} where account_id = $1`,
  `update orphaned_bookings set ${back('due_at')} where account_id = $1 and due_at is not null`,
  `with held as (
      select manifest_id from manifests where account_id = $1 and due_at is not null order by manifest_id for update)
    update manifests as m set ${back('due_at')}
    from held where m.account_id = $1 and m.manifest_id = held.manifest_id`,
]

/** Only requested deliveries have named times: those never tried yet, and those offered to a courier. */
const DELIVERIES = `with held as (
    select delivery_id from deliveries
    where account_id = $1 and due_at is not null and (
      status <> 'requested' or pending_attempt is not null or cancel_requested_at is not null or replan_requested
      or content->'staffCourier'->>'phone' is null and booking_attempts > 0)
    order by delivery_id for update)
  update deliveries as d set ${back('due_at')}
  from held where d.account_id = $1 and d.delivery_id = held.delivery_id`

const MESSAGES = `with held as (
    select message_id from messages where account_id = $1 and due_at is not null order by message_id for update)
  update messages as m set ${back('due_at')}
  from held where m.account_id = $1 and m.message_id = held.message_id`

/** Given up that much later too: the looks for it are counted from then. */
const INTENTS = `with held as (
    select delivery_id, attempt from booking_intents where account_id = $1 and due_at is not null
    order by delivery_id, attempt for update)
  update booking_intents as i set ${back('due_at')}, ${back('abandoned_at')}
  from held where i.account_id = $1 and i.delivery_id = held.delivery_id and i.attempt = held.attempt`
