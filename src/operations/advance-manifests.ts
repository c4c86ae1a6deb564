import { claimDueManifests } from '../store/due-manifests.ts'
import type { ManifestRow } from '../store/manifests.ts'
import type { Deps } from './deps.ts'
import { manifestWork, recordHold } from './manifest-work.ts'
import { submitManifest } from './submit-manifest.ts'

/** Claims without a settled result after which a manifest is taken out of the queue for a person to see. */
const MOST_CLAIMS = 8

export type DueManifest = { row: ManifestRow; claimedAtMs: number }

/** Leases up to `limit` due manifests of all accounts to this process. */
export async function claimManifests(deps: Deps, limit: number): Promise<DueManifest[]> {
  const entries = deps.accounts.list()
  if (entries.length === 0) return []
  const claimedAtMs = performance.now()
  const nows = {
    accountIds: entries.map(({ account }) => account.id),
    nowsMs: entries.map((entry) => entry.nowMs()),
  }
  const rows = await claimDueManifests(deps.db, nows, limit, deps.leaseMs)
  return rows.map((row) => ({ row, claimedAtMs }))
}

/** Submits each, or finds out what became of it. One's failure is its own: it comes back when its lease ends. */
export async function advanceManifests(deps: Deps, due: readonly DueManifest[]): Promise<void> {
  await Promise.all(
    due.map((one) =>
      advanceOne(deps, one).catch((error: unknown) =>
        deps.log.error({ err: error, manifest: one.row.id }, 'work on a manifest failed; its lease will end'),
      ),
    ),
  )
}

async function advanceOne(deps: Deps, { row, claimedAtMs }: DueManifest): Promise<void> {
  const entry = deps.accounts.find(row.accountId)
  if (!entry) return
  const work = manifestWork(deps, entry, row, claimedAtMs, 'worker')
  if (row.claims <= MOST_CLAIMS) return submitManifest(work)
  await recordHold(work, `Taken out of the queue after ${MOST_CLAIMS} tries that never ended.`)
  deps.log.error({ manifest: row.id }, 'manifest parked')
}
