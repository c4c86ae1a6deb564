import type { Ending, Timeliness } from '../../domain/insights/figures.ts'
import { type Db, instant } from '../db/db.ts'
import type { Period } from './insights.ts'

/** What one delivery cost, counted as in the insights. Money includes GST. */
export type DeliveryCost = {
  deliveryId: string
  reference: string
  storeId: string
  ending: Ending
  suburb: string | null
  /** Null: the store's own couriers. */
  provider: string | null
  carrier: string | null
  service: string | null
  consignmentNumber: string | null
  quotedCents: number | null
  /** Null for the store's own couriers, and for deliveries that are not in the total. */
  chargedCents: number | null
  bookedAtMs: number | null
  deliveredAtMs: number | null
  timeliness: Timeliness | null
  /** When it ended, in microseconds, as precise as the database. Together with the id, the position in the list. */
  endedUs: string
}

export type DeliveryCostFilter = Period & {
  /** True: delivered and returned ones, whose charges add up to the total. False: cancelled and lost ones. */
  inTotal: boolean | null
  after: { endedUs: string; deliveryId: string } | null
  limit: number
}

/** Lists the deliveries of these stores that ended in the period, in the order in which they ended. */
export async function listDeliveryCosts(
  db: Db,
  accountId: string,
  { fromMs, toMs, storeIds, inTotal, after, limit }: DeliveryCostFilter,
): Promise<DeliveryCost[]> {
  // The condition on the cursor cannot bound the index under a generic plan, because $6 may be null.
  const startMs = after === null ? fromMs : Math.max(fromMs, Math.floor(Number(after.endedUs) / 1_000))
  const { rows } = await db.query<DeliveryCost>({
    name: 'list-delivery-costs',
    // Charge and timeliness are worked out as in `tallyEnded`. Two selects, so that each uses its partial index.
    text: `with ended as (
        select *, status as ending from deliveries
        where account_id = $1 and store_id = any($2) and status in ('delivered', 'returned', 'cancelled')
          and updated_at >= $3 and updated_at < $4
        union all
        select *, 'lost' from deliveries
        where account_id = $1 and store_id = any($2) and status not in ('delivered', 'returned', 'cancelled')
          and sub_status = 'lost' and updated_at >= $3 and updated_at < $4
      ), placed as (
        select *, ending in ('delivered', 'returned') as in_total,
          case when ending = 'delivered' then coalesce(carrier_event_at, updated_at) end as came_at
        from ended
      )
      select delivery_id as "deliveryId", reference, store_id as "storeId", ending,
        content->'address'->>'city' as suburb, chosen->>'provider' as provider,
        chosen->>'carrierName' as carrier, chosen->>'service' as service,
        consignment_number as "consignmentNumber", (chosen->>'priceCents')::bigint as "quotedCents",
        case when in_total then coalesce((chosen->>'costCents')::bigint, (chosen->>'priceCents')::bigint) end
          as "chargedCents",
        booked_at as "bookedAtMs", came_at as "deliveredAtMs",
        case
          when came_at is null or window_from is null then null
          when came_at < window_from then 'early'
          when came_at <= window_to then 'on_time'
          else 'late'
        end as timeliness,
        (extract(epoch from updated_at) * 1000000)::bigint::text as "endedUs"
      from placed
      where ($5::boolean is null or in_total = $5)
        and ($6::bigint is null
          or (updated_at, delivery_id) > ('epoch'::timestamptz + $6::bigint * interval '1 microsecond', $7::text))
      order by updated_at, delivery_id
      limit $8`,
    values: [
      accountId,
      storeIds,
      instant(startMs),
      instant(toMs),
      inTotal,
      after?.endedUs ?? null,
      after?.deliveryId ?? null,
      limit,
    ],
  })
  return rows
}
