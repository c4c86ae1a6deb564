import type { Article } from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import type { Manifest } from '../../domain/manifests/manifest.ts'
import { type Db, instant } from '../db/db.ts'
import { MANIFEST_COLUMNS } from '../manifests/manifests.ts'

/** A courier's booking, as it was requested. */
export type CourierBooking = {
  key: string
  storeId: string
  status: Status
  carrierName: string
  consignmentNumber: string
  articles: readonly Article[]
  consignment: unknown
}

/** What a carrier has booked and not brought yet, oldest booking first, at most `limit`. */
export async function listCourierBookings(
  db: Db,
  accountId: string,
  provider: string,
  limit: number,
): Promise<CourierBooking[]> {
  const { rows } = await db.query<CourierBooking>({
    name: 'list-courier-bookings',
    // The statuses that are left out are those of the partial index deliveries_open, word for word.
    text: `select i.key, d.store_id as "storeId", d.status, d.chosen->>'carrierName' as "carrierName",
        d.consignment_number as "consignmentNumber", d.articles, i.consignment
      from deliveries as d join booking_intents as i using (account_id, delivery_id)
      where d.account_id = $1 and d.status not in ('delivered', 'returned', 'cancelled')
        and d.carrier_provider = $2 and d.consignment_number is not null and i.state = 'accepted'
      order by d.booked_at, d.delivery_id limit $3`,
    values: [accountId, provider, limit],
  })
  return rows
}

/** What was submitted to a carrier since then, the newest first. */
export async function listCourierManifests(
  db: Db,
  accountId: string,
  provider: string,
  sinceMs: number,
): Promise<Manifest[]> {
  const { rows } = await db.query<Manifest>({
    name: 'list-courier-manifests',
    text: `select ${MANIFEST_COLUMNS} from manifests as m
      where account_id = $1 and provider = $2 and state = 'submitted' and submitted_at >= $3
      order by manifest_id desc`,
    values: [accountId, provider, instant(sinceMs)],
  })
  return rows
}
