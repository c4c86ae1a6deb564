import type { Delivery } from '../../shared/api.generated.ts'
import { isoAt } from '../../shared/times.ts'
import { csvOf, saveCsv } from '../csv.ts'
import { doorClock, formatWhen } from '../format-when.ts'
import { type Portal, storeOf } from '../portal.ts'

const HEAD = [
  'reference',
  'status',
  'store',
  'suburb',
  'postcode',
  'carrier',
  'service',
  'consignment',
  'ready_at',
  'from',
  'to',
  'price_cents',
  'window',
]

/** The rows on the screen as a file. Windows are in the time zone of the address. */
export function exportCsv(
  deliveries: readonly Delivery[],
  portal: Pick<Portal, 'stores' | 'store' | 'nowMs'>,
) {
  saveCsv('deliveries.csv', csvOf([HEAD, ...deliveries.map((one) => cellsOf(one, portal))]))
}

export function cellsOf(one: Delivery, portal: Pick<Portal, 'stores' | 'store' | 'nowMs'>) {
  const zone = storeOf(portal, one.store_id).time_zone
  const there = (iso: string | undefined) => iso && isoAt(Date.parse(iso), doorClock(one, zone))
  return [
    { id: one.reference },
    one.status,
    one.store_reference,
    one.address.city,
    { id: one.address.post_code },
    one.carrier_provider,
    one.service_code,
    one.consignment_number && { id: one.consignment_number },
    one.ready_for_pickup_at,
    there(one.from_datetime),
    there(one.to_datetime),
    one.service_quote?.price_cents,
    one.from_datetime && formatWhen(one, zone, portal.nowMs()),
  ]
}
