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
  /** The last attempt that the workers look up after a restore; null: none. */
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
        (select max((i.lost_period->>'lastAttempt')::integer) from booking_intents as i
          where i.account_id = $1 and i.delivery_id = d.delivery_id) as "lastLookedUp"
      from unnest($3::text[]) with ordinality as g(key, place)
        left join deliveries as d on d.account_id = $1 and d.delivery_id = regexp_replace(g.key, '-[0-9]+$', '')
      order by g.place`,
    values: [accountId, provider, keys],
  })
  return rows
}
