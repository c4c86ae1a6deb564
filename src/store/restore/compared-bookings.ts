import type { Status } from '../../domain/delivery/status.ts'
import type { Db } from '../db/db.ts'

/** What the database knows about a booking that a carrier lists under our key. Null fields: no such delivery. */
export type ComparedBooking = {
  key: string
  reference: string | null
  status: Status | null
  /** The carrier and number of the delivery's booking in use. */
  provider: string | null
  consignmentNumber: string | null
  /** The booking in use was made under this key at this carrier. */
  isInUse: boolean
  /** It is for one of the store's own couriers. */
  isOwn: boolean
  /** `drover after-restore` has prepared the delivery. */
  isPrepared: boolean
  /** The last attempt that the workers look up at this carrier after a restore; null: they do not ask this carrier. */
  lastLookedUp: number | null
}

/** In the order of the keys. */
export async function listComparedBookings(
  db: Db,
  accountId: string,
  provider: string,
  keys: readonly string[],
): Promise<ComparedBooking[]> {
  const { rows } = await db.query<ComparedBooking>({
    name: 'list-compared-bookings',
    text: `select g.key, d.reference, d.status, d.carrier_provider as provider, d.consignment_number as "consignmentNumber",
        exists (select from booking_intents as i where i.account_id = $1 and i.delivery_id = d.delivery_id
          and i.key = g.key and i.provider = $2 and i.state = 'accepted') as "isInUse",
        coalesce(d.content->>'staffCourier' is not null, false) as "isOwn", lost.prepared > 0 as "isPrepared",
        lost.last_attempt as "lastLookedUp"
      from unnest($3::text[]) with ordinality as g(key, place)
        left join deliveries as d on d.account_id = $1 and d.delivery_id = regexp_replace(g.key, '-[0-9]+$', '')
        cross join lateral (
          select count(*) as prepared,
            max((i.lost_period->>'lastAttempt')::integer) filter (where exists (
              select from json_array_elements(i.lost_period->'alternatives') as one where one->>'provider' = $2)
            ) as last_attempt
          from booking_intents as i
          where i.account_id = $1 and i.delivery_id = d.delivery_id and i.lost_period is not null) as lost
      order by g.place`,
    values: [accountId, provider, keys],
  })
  return rows
}

/** Delivery → the account that has it, of these accounts. Accounts that share a carrier's login share its list. */
export async function mapDeliveriesToAccounts(
  db: Db,
  accountIds: readonly string[],
  deliveryIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ deliveryId: string; accountId: string }>({
    name: 'map-deliveries-to-accounts',
    text: `select delivery_id as "deliveryId", account_id as "accountId" from deliveries
      where account_id = any($1) and delivery_id = any($2)`,
    values: [accountIds, deliveryIds],
  })
  return new Map(rows.map(({ deliveryId, accountId }) => [deliveryId, accountId]))
}
