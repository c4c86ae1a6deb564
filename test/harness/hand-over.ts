/** The check of manifests: each submitted manifest is one order in its carrier's ledger, with the same articles. */

import { deliveryOf, type Order } from './ledger.ts'
import { repeated } from './timelines.ts'

/** A manifest as Drover reports it. */
export type FoundManifest = {
  id: string
  status: string
  status_reason?: string
  counts: { items: number }
  external_ref: { order_id?: string }
  manifest_deliveries: readonly {
    delivery_id: string
    tracking_details: { article_ids: readonly string[] }
  }[]
}

/**
 * Submitted manifests and carriers' orders match one to one, with the same deliveries and articles, and no delivery is
 * in two of them.
 */
export function findHandOverFaults(manifests: readonly FoundManifest[], orders: readonly Order[]): string[] {
  const submitted = manifests.filter(({ status }) => status === 'submitted')
  const ours = new Map(submitted.map((manifest) => [manifest.external_ref.order_id, manifest]))
  const theirs = new Set(orders.map(({ id }) => id))
  return [
    ...repeated(orders.map(({ id }) => id)).map((id) => `order ${id} was created twice, with different rows`),
    ...repeated(orders.flatMap(({ bookings }) => bookings.map(({ id }) => id))).map(
      (id) => `booking ${id} is in two orders`,
    ),
    ...repeated(
      submitted.flatMap(({ manifest_deliveries }) =>
        manifest_deliveries.map(({ delivery_id }) => delivery_id),
      ),
    ).map((id) => `${id} is on two manifests`),
    ...submitted.flatMap(({ id, external_ref }) =>
      theirs.has(external_ref.order_id ?? '') ? [] : [`manifest ${id} has no order at its carrier`],
    ),
    ...orders.flatMap((order) => {
      const manifest = ours.get(order.id)
      return manifest ? differencesOf(manifest, order) : [orderWithoutManifest(manifests, order)]
    }),
  ]
}

function orderWithoutManifest(
  manifests: readonly FoundManifest[],
  { id, provider, reference }: Order,
): string {
  const named = manifests.find((manifest) => manifest.id === reference)
  const state = named ? `: ${named.id} is ${named.status}, ${named.status_reason}` : ''
  return `order ${id} of ${provider} has no manifest${state}`
}

function differencesOf(manifest: FoundManifest, { id, bookings }: Order): string[] {
  const rows = manifest.manifest_deliveries
  const articles = bookings.flatMap(({ numbers }) => numbers)
  const differences = [
    difference(
      rows.map(({ delivery_id }) => delivery_id),
      bookings.map(({ key }) => deliveryOf(key)),
    ),
    difference(
      rows.flatMap(({ tracking_details }) => tracking_details.article_ids),
      articles,
    ),
  ].flatMap((message) => (message === null ? [] : [`manifest ${manifest.id}, order ${id}: ${message}`]))
  if (manifest.counts.items !== articles.length)
    differences.push(
      `manifest ${manifest.id} counts ${manifest.counts.items} items, order ${id} ${articles.length}`,
    )
  return differences
}

function difference(ours: readonly string[], theirs: readonly string[]): string | null {
  const [mine, other] = [new Set(ours), new Set(theirs)]
  const missing = ours.find((one) => !other.has(one))
  const surplus = theirs.find((one) => !mine.has(one))
  if (missing !== undefined) return `${missing} is missing in the order`
  return surplus === undefined ? null : `${surplus} is only in the order`
}
