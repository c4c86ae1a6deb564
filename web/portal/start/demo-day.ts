import type { Store } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { toProblem } from '../../shared/problem.ts'
import { isoDay, isoLocal } from '../../shared/times.ts'

const MINUTE_MS = 60_000

/** First name, last name, street, kilograms, minutes until it is ready, booked now. */
const MORNING = [
  ['Ruth', 'Adeyemi', '12 Station Street', 2.4, 20, true],
  ['Tom', 'Whitlock', '3 Church Street', 1.2, 30, true],
  ['Mei', 'Lin', '27 High Street', 4.5, 30, true],
  ['Priya', 'Nair', '8 Park Road', 0.8, 45, true],
  ['Hana', 'Baran', '41 Albert Street', 6, 60, true],
  ['Luca', 'Marino', '5 Bridge Road', 3.1, 60, true],
  ['Joan', 'Petrie', '19 Victoria Street', 1.9, 150, false],
  ['Ngoc', 'Dang', '66 George Street', 2.2, 180, false],
  ['Ali', 'Haddad', '2 Mill Lane', 9.5, 210, false],
  ['Sam', 'Okafor', '30 King Street', 0.5, 240, false],
] as const

/**
 * Fills a sandbox account with a morning's work of its own store and suburb, through the ordinary create operation. The
 * references name the day, so that a second time adds only those that are missing. Returns how many it added.
 */
export async function makeDemoDay(tenantId: string, store: Store, nowMs: number): Promise<number> {
  const { city, state, post_code } = store.address
  const day = isoDay(nowMs, store.time_zone)
  let added = 0
  for (const [index, [first_name, last_name, address, weight_kg, minutes, isNow]] of MORNING.entries()) {
    const body = {
      store_reference: store.reference,
      reference: `DEMO-${day}-${String(index + 1).padStart(2, '0')}`,
      ready_for_pickup_at: isoLocal(nowMs + minutes * MINUTE_MS, store.time_zone),
      book_delivery_now: isNow,
      address: { address, city, state: state as 'VIC', post_code, country: 'AU' },
      // A number that nobody has (ACMA, numbers for fiction).
      customer: { first_name, last_name, phone: '0491 570 156', email: 'customer@example.com' },
      parcels: [{ reference: 'P1', length_cm: 30, width_cm: 22, height_cm: 18, weight_kg, quantity: 1 }],
    }
    try {
      await api.POST('/{tenant_id}/deliveries', { params: { path: { tenant_id: tenantId } }, body })
      added += 1
    } catch (error) {
      if (toProblem(error).code !== 'duplicate_reference') throw error
    }
  }
  return added
}
