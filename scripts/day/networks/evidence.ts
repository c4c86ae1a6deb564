import type { FakeEntry } from '../../../test/fake-process.ts'
import type { FoundManifest } from '../../../test/harness/hand-over.ts'
import {
  auspostEntries,
  auspostOrders,
  courierEndings,
  doordashEntries,
  type Ending,
  type LedgerEntry,
  type Order,
  uberEntries,
} from '../../../test/harness/ledger.ts'
import type { Played } from '../run-day.ts'
import type { Shop } from '../shop.ts'
import { type DayDelivery, pages } from '../verify-day.ts'
import { providerOf } from './contracts.ts'
import type { Fleet } from './fleet.ts'
import type { NetworkJob } from './jobs.ts'
import { mailEntries, mailOrders } from './mail-entries.ts'

export type NetworkDelivery = DayDelivery & { provider?: string; parcels?: { article_ids?: string[] }[] }

/** The evidence at the end: what Drover reports, and what the carriers' own ledgers contain. */
export type Evidence = {
  jobs: readonly NetworkJob[]
  played: Pick<Played, 'created' | 'cancelled' | 'refused'>
  deliveries: readonly NetworkDelivery[]
  manifests: readonly FoundManifest[]
  ledgerEntries: readonly LedgerEntry[]
  orders: readonly Order[]
  /** How trips of the on-demand couriers ended. */
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
  const { auspost, uberDirect, doordash, mails } = await fleet.ledgers()
  return {
    jobs,
    played,
    deliveries,
    manifests,
    ledgerEntries: [
      ...auspostEntries(auspost, providerOf),
      ...uberEntries(uberDirect),
      ...doordashEntries(doordash),
      ...mailEntries(mails),
    ],
    orders: [...auspostOrders(auspost, providerOf), ...mailOrders(mails)],
    endings: courierEndings({ uberDirect, doordash }),
    tracking: auspost.filter(({ what, operation }) => what === 'request' && operation === 'track'),
  }
}
