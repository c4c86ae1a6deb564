import type { Status } from '../../domain/delivery/status.ts'
import { type Db, instant } from '../db/db.ts'
import { NOT_DEAD_LETTERED } from '../deliveries/due-deliveries.ts'

/** `decommissioned`: the carrier will collect nothing more, so a missing answer counts as a confirmed cancellation. */
export type CarrierOff = { provider: string; sinceMs: number; reason: string | null; decommissioned: boolean }

/** A delivery that a carrier has booked and not collected yet. */
export type UncollectedDelivery = {
  deliveryId: string
  reference: string
  storeId: string
  status: Status
  consignmentNumber: string
  manifested: boolean
  /** A cancellation is pending, and the delivery will be planned again. */
  replanning: boolean
}

// Word for word as the partial index deliveries_open has it, so that no history is read.
const OPEN = `status not in ('delivered', 'returned', 'cancelled')`
const UNCOLLECTED = `status in ('booked', 'assigned', 'approaching') and consignment_number is not null`

/** What a carrier has not collected, locked in the order in which everybody locks more than one. */
const heldOf = (which: string): string => `select delivery_id from deliveries
  where account_id = $1 and carrier_provider = $2 and ${UNCOLLECTED} and ${which}
  order by delivery_id for update`

export async function listCarriersOff(db: Db, accountId: string): Promise<CarrierOff[]> {
  const { rows } = await db.query<CarrierOff>({
    name: 'list-carriers-off',
    text: `select provider, disabled_since as "sinceMs", reason, decommissioned from carrier_switches where account_id = $1`,
    values: [accountId],
  })
  return rows
}

/** `disabled_since` keeps the first time. A later call replaces the reason and `decommissioned`. */
export async function putCarrierOff(db: Db, accountId: string, off: CarrierOff): Promise<void> {
  await db.query(
    `insert into carrier_switches (account_id, provider, disabled_since, reason, decommissioned) values ($1, $2, $3, $4, $5)
     on conflict (account_id, provider) do update set reason = excluded.reason, decommissioned = excluded.decommissioned`,
    [accountId, off.provider, instant(off.sinceMs), off.reason, off.decommissioned],
  )
}

/**
 * Switches the carrier on again. Drops the pending cancellations that it never answered, since it still has these
 * deliveries; keeps those of people who reassigned a delivery. `nowMs` is account time.
 */
export async function removeCarrierOff(
  db: Db,
  accountId: string,
  provider: string,
  nowMs: number,
): Promise<void> {
  await db.query('delete from carrier_switches where account_id = $1 and provider = $2', [
    accountId,
    provider,
  ])
  await db.query(
    `with held as (${heldOf(`replan_requested and not carrier_provider = any(excluded_providers)`)})
     update deliveries as d set replan_requested = false, cancel_requested_at = null, cancel_reason = null,
       updated_at = $3, fence = fence + 1, lease_until = null, claims = 0
     from held where d.account_id = $1 and d.delivery_id = held.delivery_id`,
    [accountId, provider, instant(nowMs)],
  )
}

/**
 * Recalls all its deliveries that are not collected and on no manifest (`manifested`: those on one, too), and fences off
 * the workers that lease them. Returns how many.
 */
export async function recallDeliveries(
  db: Db,
  accountId: string,
  provider: string,
  { reason, manifested, nowMs }: { reason: string; manifested: boolean; nowMs: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `with held as (${heldOf('cancel_requested_at is null and (manifest_id is null or $5)')})
     update deliveries as d set replan_requested = true, cancel_requested_at = $3, cancel_reason = $4, due_at = $3,
       updated_at = $3, fence = fence + 1, lease_until = null, claims = 0, ${NOT_DEAD_LETTERED}
     from held where d.account_id = $1 and d.delivery_id = held.delivery_id`,
    [accountId, provider, instant(nowMs), reason, manifested],
  )
  return rowCount ?? 0
}

/** Provider → how many it has booked and not collected. */
export async function countUncollected(db: Db, accountId: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ provider: string; uncollected: number }>({
    name: 'count-uncollected',
    text: `select carrier_provider as provider, count(*)::int as uncollected
      from deliveries where account_id = $1 and ${OPEN} and ${UNCOLLECTED} group by 1`,
    values: [accountId],
  })
  return new Map(rows.map(({ provider, uncollected }) => [provider, uncollected]))
}

/** Oldest booking first, at most `limit`. */
export async function listUncollected(
  db: Db,
  accountId: string,
  provider: string,
  limit: number,
): Promise<UncollectedDelivery[]> {
  const { rows } = await db.query<UncollectedDelivery>({
    name: 'list-uncollected',
    text: `select delivery_id as "deliveryId", reference, store_id as "storeId", status,
        consignment_number as "consignmentNumber", manifest_status = 'manifested' as manifested,
        replan_requested as replanning
      from deliveries where account_id = $1 and carrier_provider = $2 and ${OPEN} and ${UNCOLLECTED}
      order by booked_at, delivery_id limit $3`,
    values: [accountId, provider, limit],
  })
  return rows
}
