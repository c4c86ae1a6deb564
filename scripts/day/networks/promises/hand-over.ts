import type { Evidence } from '../evidence.ts'
import { deliveryOf } from '../ledger-entries.ts'
import type { Finding } from '../promises.ts'

/**
 * Manifests and orders match one to one, with the same deliveries and articles, and no delivery is in two of
 * them.
 */
export function handedOverOnce({ manifests, orders }: Evidence): Finding {
  const submitted = manifests.filter(({ status }) => status === 'submitted')
  const wrong = [
    ...repeated(orders.map(({ id }) => id)).map((id) => `order ${id} was made twice, with different rows`),
    ...repeated(orders.flatMap(({ bookings }) => bookings.map(({ id }) => id))).map(
      (id) => `booking ${id} is in two orders`,
    ),
    ...manifests
      .filter(({ status }) => status === 'submitting' || status === 'on_hold')
      .map(({ id, status }) => `manifest ${id} is ${status}`),
  ]
  const ours = new Map(submitted.map((manifest) => [manifest.external_ref.order_id, manifest]))
  const theirs = new Set(orders.map(({ id }) => id))
  for (const { id, external_ref } of submitted) {
    if (!theirs.has(external_ref.order_id ?? '')) wrong.push(`manifest ${id} is no order of its carrier`)
  }
  for (const { id, provider, bookings } of orders) {
    const manifest = ours.get(id)
    if (!manifest) {
      wrong.push(`order ${id} of ${provider} is no manifest of ours`)
      continue
    }
    const rows = manifest.manifest_deliveries
    const differences = [
      difference(
        rows.map(({ delivery_id }) => delivery_id),
        bookings.map(({ key }) => deliveryOf(key)),
      ),
      difference(
        rows.flatMap(({ tracking_details }) => tracking_details.article_ids),
        bookings.flatMap(({ numbers }) => numbers),
      ),
    ]
    for (const message of differences)
      if (message) wrong.push(`manifest ${manifest.id}, order ${id}: ${message}`)
    const articles = bookings.flatMap(({ numbers }) => numbers).length
    if (manifest.counts.items !== articles)
      wrong.push(`manifest ${manifest.id} counts ${manifest.counts.items} items, order ${id} ${articles}`)
  }
  return { counted: submitted.length, wrong }
}

function difference(ours: readonly string[], theirs: readonly string[]): string | null {
  const [mine, other] = [new Set(ours), new Set(theirs)]
  const missing = ours.find((one) => !other.has(one))
  const strange = theirs.find((one) => !mine.has(one))
  if (missing !== undefined) return `${missing} is missing there`
  return strange === undefined ? null : `${strange} is only there`
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.has(name) || !seen.add(name))
}
