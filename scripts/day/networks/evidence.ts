import type { FakeEntry } from '../../../test/fake-process.ts'
import type { Played } from '../run-day.ts'
import type { Shop } from '../shop.ts'
import { type DayDelivery, pages } from '../verify-day.ts'
import type { Fleet } from './fleet.ts'
import type { NetworkJob } from './jobs.ts'
import {
  type Ending,
  endingsOf,
  entriesOf,
  type LedgerEntry,
  type Order,
  ordersOf,
} from './ledger-entries.ts'

export type NetworkDelivery = DayDelivery & { provider?: string; parcels?: { article_ids?: string[] }[] }

export type FoundManifest = {
  id: string
  status: string
  carrier_provider: string
  counts: { items: number }
  external_ref: { order_id?: string }
  manifest_deliveries: { delivery_id: string; tracking_details: { article_ids: string[] } }[]
}

/** The evidence at the end: what Drover reports, and what the carriers' own ledgers contain. */
export type Evidence = {
  jobs: readonly NetworkJob[]
  played: Pick<Played, 'created' | 'cancelled' | 'refused'>
  deliveries: readonly NetworkDelivery[]
  manifests: readonly FoundManifest[]
  ledgerEntries: readonly LedgerEntry[]
  orders: readonly Order[]
  /** Of the couriers on demand. */
  endings: readonly Ending[]
  /** Every tracking request that reached Australia Post, including those with faults. */
  tracking: readonly FakeEntry[]
}

export async function gather(
  { ask }: Shop,
  fleet: Fleet,
  jobs: readonly NetworkJob[],
  played: Played,
): Promise<Evidence> {
  await played.feed.read()
  const deliveries = await pages<NetworkDelivery>(ask, '/deliveries?limit=200')
  const manifests = await pages<FoundManifest>(ask, '/manifests?limit=50')
  const ledgers = await fleet.ledgers()
  return {
    jobs,
    played,
    deliveries,
    manifests,
    ledgerEntries: entriesOf(ledgers),
    orders: ordersOf(ledgers),
    endings: endingsOf(ledgers),
    tracking: ledgers.auspost.filter(({ what, operation }) => what === 'request' && operation === 'track'),
  }
}
