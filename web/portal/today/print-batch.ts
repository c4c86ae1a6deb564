import type { Delivery } from '../../shared/api.generated.ts'
import { count } from '../../shared/count.ts'

export const PRINT_ORDERS = ['time', 'suburb'] as const
export type PrintOrder = (typeof PRINT_ORDERS)[number]

export const ORDER_TEXTS: Readonly<Record<PrintOrder, string>> = { time: 'By time', suburb: 'By suburb' }

type Printable = Pick<Delivery, 'id' | 'reference' | 'address' | 'from_datetime' | 'ready_for_pickup_at'>

/** Ids in print order; `printed` are left out on request. */
export function batchOf(
  deliveries: readonly Printable[],
  order: PrintOrder,
  skipped: ReadonlySet<string>,
): string[] {
  return deliveries
    .filter(({ id }) => !skipped.has(id))
    .toSorted((a, b) => COMPARE[order](a, b) || words.compare(a.reference, b.reference))
    .map(({ id }) => id)
}

/** Every unit of every parcel has its own label. */
export function labelCount(deliveries: readonly Pick<Delivery, 'parcels'>[]): number {
  return deliveries.reduce(
    (sum, { parcels }) => sum + parcels.reduce((units, { quantity }) => units + quantity, 0),
    0,
  )
}

/** `15 labels for 12 deliveries`, or only `12 labels` if each has one. */
export function formatLabelCount(labels: number, deliveries: number): string {
  const words = count(labels, 'label')
  return labels === deliveries ? words : `${words} for ${count(deliveries, 'delivery', 'deliveries')}`
}

/** The labels in the question after printing: `the label`, `all 12 labels`, `all 15 labels for 12 deliveries`. */
export function formatPrinted(labels: number, deliveries: number): string {
  return labels === 1 ? 'the label' : `all ${formatLabelCount(labels, deliveries)}`
}

const words = new Intl.Collator('en-AU', { numeric: true })

/** A suburb has one place in the order, even if two states have one of its name. */
const COMPARE: Readonly<Record<PrintOrder, (a: Printable, b: Printable) => number>> = {
  time: (a, b) => leavesMs(a) - leavesMs(b),
  suburb: (a, b) =>
    words.compare(a.address.city.trim(), b.address.city.trim()) ||
    words.compare(a.address.post_code, b.address.post_code) ||
    words.compare(a.address.address, b.address.address),
}

/** The start of its window; without one, when it is ready. */
function leavesMs({ from_datetime, ready_for_pickup_at }: Printable): number {
  return Date.parse(from_datetime ?? ready_for_pickup_at)
}
