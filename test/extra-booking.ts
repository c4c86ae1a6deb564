import { formatAttention } from '../src/domain/delivery/surplus-bookings.ts'
import { listSurplus } from '../src/store/deliveries/orphaned-bookings.ts'
import type { Api } from './api.ts'

/** Adds an extra booking to a booked delivery at a carrier that accepts cancellations by phone only. */
export async function extraBooking({ fixture }: Api, id: string, consignmentNumber: string): Promise<void> {
  const { db } = fixture.deps
  await db.query(
    `insert into orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number, found_at, outcome)
     select account_id, provider, $2, delivery_id, attempt, $2, $3, 'by_phone_only' from booking_intents
     where delivery_id = $1 order by attempt limit 1`,
    [id, consignmentNumber, new Date(fixture.demo().nowMs())],
  )
  const attention = formatAttention(await listSurplus(db, 'demo', id))
  await db.query('update deliveries set attention = $2 where delivery_id = $1', [id, attention])
}
