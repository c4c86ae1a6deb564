import { setTimeout as sleep } from 'node:timers/promises'
import { findManifest, type ManifestRow } from '../../store/manifests/manifests.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { manifestWork } from './manifest-work.ts'
import { submitManifest } from './submit-manifest.ts'

/** How long a request waits for a carrier; the submit itself continues after that. */
const PATIENCE_MS = 8_000
const LOOK_EVERY_MS = 150

/**
 * Submits manifests that this request has just leased, and returns their state when they are done or the wait
 * times out.
 */
export async function submitWithin(
  deps: Deps,
  entry: AccountEntry,
  rows: readonly ManifestRow[],
  claimedAtMs: number,
): Promise<ManifestRow[]> {
  const submits = rows.map((row) =>
    submitManifest(manifestWork(deps, entry, row, claimedAtMs, 'api')).catch((error: unknown) =>
      deps.log.error(
        { err: error, manifest: row.id },
        'submit failed; its lease will end and the queue goes on',
      ),
    ),
  )
  await Promise.race([Promise.all(submits), sleep(PATIENCE_MS, undefined, { ref: false })])
  return Promise.all(rows.map(async (row) => (await findManifest(deps.db, row.accountId, row.id)) ?? row))
}

/** Waits until another process's submit of the manifest has ended, or until the wait times out. */
export async function awaitSubmit(deps: Deps, row: ManifestRow): Promise<ManifestRow> {
  const endMs = performance.now() + PATIENCE_MS
  let now = row
  while (now.state === 'submitting' && performance.now() < endMs) {
    await sleep(LOOK_EVERY_MS)
    now = (await findManifest(deps.db, row.accountId, row.id)) ?? now
  }
  return now
}
