import { noteFailure } from '../../observability/tracing/current.ts'
import { QUARANTINE_SLOTS } from '../../store/leases/poison-row-quarantine.ts'
import { claimDueManifests, type DueManifestRow } from '../../store/manifests/due-manifests.ts'
import type { Deps } from '../deps.ts'
import { claimDue, type Leased, MAX_CLAIMS } from '../leases/claim.ts'
import { manifestWork, recordHold } from './manifest-work.ts'
import { submitManifest } from './submit-manifest.ts'

export type DueManifest = Leased<DueManifestRow>

/**
 * Leases up to `limit` due manifests of all accounts to this process; suspected poison rows only while
 * `suspects` has free slots.
 */
export function claimManifests(
  deps: Deps,
  limit: number,
  suspects = QUARANTINE_SLOTS,
): Promise<DueManifest[]> {
  return claimDue(deps, { queue: 'manifests', limit, suspects }, claimDueManifests)
}

/**
 * Submits each manifest, or resolves its unknown outcome. One failure doesn't affect the others: that row is
 * due again when its lease ends.
 */
export async function processDueManifests(deps: Deps, due: readonly DueManifest[]): Promise<void> {
  await Promise.all(
    due.map((one) =>
      advanceOne(deps, one).catch((error: unknown) => {
        noteFailure(error)
        deps.log.error({ err: error, manifest: one.row.id }, 'work on a manifest failed; its lease will end')
      }),
    ),
  )
}

async function advanceOne(deps: Deps, { row, claimedAtMs }: DueManifest): Promise<void> {
  const entry = await deps.accounts.find(row.accountId)
  if (!entry) return
  const work = manifestWork(deps, entry, row, claimedAtMs, 'worker')
  if (row.claims <= MAX_CLAIMS) return submitManifest(work)
  await recordHold(work, `Taken out of the queue after ${MAX_CLAIMS} attempts that did not finish.`)
  deps.log.error({ manifest: row.id }, 'manifest put on hold: too many tries')
}
