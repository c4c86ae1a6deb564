import type { FakeEntry } from '../../../test/fake-process.ts'
import type { FoundManifest } from '../../../test/harness/hand-over.ts'
import type { Ending, LedgerEntry, Order } from '../../../test/harness/ledger.ts'
import type { Played } from '../run-day.ts'
import type { DayDelivery } from '../verify-day.ts'
import type { NetworkJob } from './jobs.ts'

/** The evidence at the end: what Drover reports, and what the carriers' own ledgers contain. */
export type Evidence = {
  jobs: readonly NetworkJob[]
  played: Pick<Played, 'created' | 'cancelled' | 'refused'>
  deliveries: readonly DayDelivery[]
  manifests: readonly FoundManifest[]
  ledgerEntries: readonly LedgerEntry[]
  orders: readonly Order[]
  /** How trips of the on-demand couriers ended. */
  endings: readonly Ending[]
  /** Every tracking request that reached Australia Post, including those with faults. */
  tracking: readonly FakeEntry[]
}
