import { isoLocal } from '../../../shared/times.ts'
import type { CsvRows } from '../../csv.ts'
import { OWN } from '../format-figures.ts'
import type { DeliveryCost } from './read-costs.ts'

const HEAD = [
  'Order',
  'Status',
  'Store',
  'Suburb',
  'Carrier',
  'Service',
  'Consignment',
  'Quoted',
  'Charged',
  'Booked at',
  'Delivered at',
  'On time',
]
const STATUSES = { delivered: 'Delivered', returned: 'Returned', cancelled: 'Cancelled', lost: 'Lost' }
const ON_TIME = { early: 'Early', on_time: 'Yes', late: 'Late' }

type CostStore = { reference: string; name: string; time_zone: string }

/**
 * One table, a row for each delivery: amounts in dollars incl. GST, times on the clock of the store. The sum of
 * `Charged` is the total of the page.
 */
export function toCostRows(
  costs: readonly DeliveryCost[],
  stores: readonly CostStore[],
  zone: string,
): CsvRows {
  const storeOf = new Map(stores.map((store) => [store.reference, store]))
  return [
    HEAD,
    ...costs.map((cost) => {
      const store = storeOf.get(cost.store_reference)
      const at = (iso: string | null) => iso && toCell(Date.parse(iso), store?.time_zone ?? zone)
      return [
        { id: cost.reference },
        STATUSES[cost.status],
        store?.name ?? cost.store_reference,
        cost.suburb,
        cost.provider === null ? cost.booked_at && OWN : (cost.carrier ?? cost.provider),
        cost.service,
        cost.consignment_number === null ? null : { id: cost.consignment_number },
        toCsvDollars(cost.quoted_cents),
        toCsvDollars(cost.charged_cents),
        at(cost.booked_at),
        at(cost.delivered_at),
        cost.timeliness && ON_TIME[cost.timeliness],
      ]
    }),
  ]
}

/** `1234.50`: a number with two decimals and no separators, which every spreadsheet adds up. */
export function toCsvDollars(cents: number | null): string | null {
  return cents === null ? null : (cents / 100).toFixed(2)
}

/** `2026-11-24 14:30`, which Excel reads as a date and time in every language. */
function toCell(ms: number, zone: string): string {
  return isoLocal(ms, zone).replace('T', ' ')
}
