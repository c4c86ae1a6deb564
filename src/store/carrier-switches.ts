import { type Db, instant } from './deliveries.ts'

export type CarrierOff = { provider: string; sinceMs: number; reason: string | null }

/** A delivery that a carrier has booked and not collected yet. */
export type UncollectedDelivery = {
  deliveryId: string
  reference: string
  storeId: string
  status: string
  consignmentNumber: string
  manifested: boolean
  /** It is being asked back, to be planned anew. */
  replanning: boolean
}

const UNCOLLECTED = `status in ('booked', 'assigned', 'approaching') and consignment_number is not null`

export async function listCarriersOff(db: Db, accountId: string): Promise<CarrierOff[]> {
  const { rows } = await db.query<CarrierOff>({
    name: 'list-carriers-off',
    text: `select provider, off_since as "sinceMs", reason from carrier_switches where account_id = $1`,
    values: [accountId],
  })
  return rows
}

/** Off since the first time; a later reason takes the place of an earlier one. */
export async function putCarrierOff(db: Db, accountId: string, off: CarrierOff): Promise<void> {
  await db.query(
    `insert into carrier_switches (account_id, provider, off_since, reason) values ($1, $2, $3, $4)
     on conflict (account_id, provider) do update set reason = excluded.reason`,
    [accountId, off.provider, instant(off.sinceMs), off.reason],
  )
}

/** On again; wishes that the carrier never answered are forgotten: it has its deliveries still. */
export async function removeCarrierOff(db: Db, accountId: string, provider: string): Promise<void> {
  await db.query('delete from carrier_switches where account_id = $1 and provider = $2', [
    accountId,
    provider,
  ])
  await db.query(
    `update deliveries set replan_requested = false, cancel_requested_at = null, cancel_reason = null, fence = fence + 1,
       lease_until = null, claims = 0
     where account_id = $1 and carrier_provider = $2 and replan_requested and ${UNCOLLECTED}`,
    [accountId, provider],
  )
}

/** Asks back all that it has not collected and that is on no manifest; whoever works on one of them loses it. Answers how many. */
export async function askBack(
  db: Db,
  accountId: string,
  provider: string,
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `update deliveries set replan_requested = true, cancel_requested_at = $3, cancel_reason = $4, due_at = $3,
       updated_at = $3, fence = fence + 1, lease_until = null, claims = 0
     where account_id = $1 and carrier_provider = $2 and cancel_requested_at is null
       and manifest_id is null and ${UNCOLLECTED}`,
    [accountId, provider, instant(nowMs), reason],
  )
  return rowCount ?? 0
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
      from deliveries where account_id = $1 and carrier_provider = $2 and ${UNCOLLECTED}
      order by booked_at, delivery_id limit $3`,
    values: [accountId, provider, limit],
  })
  return rows
}
