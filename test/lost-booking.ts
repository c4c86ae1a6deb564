import { type Api, deliveryBody, parcel } from './api.ts'
import { keepRequests } from './keep-requests.ts'

/** Goods that only Big Haul accepts: a carrier without a look-up. */
export const pallet = {
  ...{ ...parcel, type: 'pallet' },
  ...{ length_cm: 110, width_cm: 110, height_cm: 120, weight_kg: 300 },
}

/** A delivery with an unknown booking outcome, as after a time-out. */
export async function lostBooking(
  { call, fixture }: Api,
  over: object = { reference: 'LOST', parcels: [pallet] },
): Promise<{ id: string; consignmentNumber: string }> {
  await keepRequests(fixture.deps.db)
  const body = deliveryBody({ book_delivery_now: true, ...over })
  const { id, consignment_number: consignmentNumber } = (await call('POST /demo/deliveries', { body })).json
    .data
  await fixture.deps.db.query(
    `with doubted as (update booking_intents set state = 'unknown' where delivery_id = $1 returning attempt)
     update deliveries set status = 'on_hold', consignment_number = null, due_at = null, pending_attempt = attempt
     from doubted where delivery_id = $1`,
    [id],
  )
  return { id, consignmentNumber }
}
