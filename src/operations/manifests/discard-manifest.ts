import { Refusal } from '../../domain/errors.ts'
import {
  getSubmitAttempt,
  type WhyNotManifest,
  whyNotManifest,
} from '../../domain/manifests/manifest-actions.ts'
import { withTransaction } from '../../store/db/pool.ts'
import type { ManifestRow } from '../../store/manifests/manifests.ts'
import { discardManifest as discardRow } from '../../store/manifests/take-manifest.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { type FullManifest, getManifest, getManifestRow } from './get-manifest.ts'

/**
 * Ends a manifest that nobody will submit: a draft, one that the carrier refused, or one that never reached the carrier.
 * Its deliveries may go on another one. Discarding it again changes nothing: `isChanged` is false. Refuses
 * `manifest_not_discardable` while the carrier has it or may have it.
 */
export async function discardManifest(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  manifestId: string,
  record: WriteAudit = noAudit,
): Promise<{ full: FullManifest; isChanged: boolean }> {
  const row = await getManifestRow(deps, entry, caller, manifestId)
  const { accountId, id } = row
  const isChanged = await withTransaction(deps.db, async (db) => {
    const discarded = await discardRow(db, { accountId, manifestId: id, nowMs: entry.nowMs() })
    if (discarded) await record(db, { accountId, object: id, after: { status: 'discarded' } })
    return discarded
  })
  const full = await getManifest(deps, entry, caller, id)
  if (!isChanged && full.manifest.state !== 'discarded')
    throw notDiscardable(await getManifestRow(deps, entry, caller, id))
  return { full, isChanged }
}

function notDiscardable(row: ManifestRow): Refusal {
  const facts = { state: row.state, attempt: getSubmitAttempt(row), hasIneligible: false }
  const why = whyNotManifest('discard', facts)
  const words: Readonly<Partial<Record<WhyNotManifest, string>>> = {
    submitted: `${row.carrierName} has it`,
    unanswered: `${row.carrierName} may have it. Ask them, then report the result with PATCH …/settle-submit`,
  }
  const because = (why && words[why]) ?? 'it is being sent right now. Try again in some seconds'
  return new Refusal('manifest_not_discardable', `Manifest ${row.id} cannot be discarded: ${because}.`)
}
