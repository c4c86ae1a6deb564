import type { Delivery } from '../../shared/api.generated.ts'
import { csvOf, saveCsv } from '../csv.ts'

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
]

/** What is on the screen, as a file. */
export function exportCsv(deliveries: readonly Delivery[]): void {
  const rows = deliveries.map((one) => [
    one.reference,
    one.status,
    one.store_reference,
    one.address.city,
    one.address.post_code,
    one.carrier_provider,
    one.service_code,
    one.consignment_number,
    one.ready_for_pickup_at,
    one.from_datetime,
    one.to_datetime,
    one.service_quote?.price_cents,
  ])
  saveCsv('deliveries.csv', csvOf([HEAD, ...rows]))
}
