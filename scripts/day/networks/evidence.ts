import type { FakeEntry } from '../../../test/fake-process.ts'
import type { FoundManifest } from '../../../test/harness/hand-over.ts'
import type { Ending } from '../../../test/harness/ledger.ts'
import type { DayEvidence } from '../verify-day.ts'
import type { NetworkJob } from './jobs.ts'

export type Evidence = Omit<DayEvidence, 'jobs'> & {
  jobs: readonly NetworkJob[]
  manifests: readonly FoundManifest[]
  /** How trips of the on-demand couriers ended. */
  endings: readonly Ending[]
  /** Every tracking request that reached Australia Post, including those with faults. */
  tracking: readonly FakeEntry[]
}
