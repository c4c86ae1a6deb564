import { Refusal } from '../../domain/errors.ts'
import { type ManifestTarget, recordOrder, recordRefusal } from '../../store/manifests/change-manifest.ts'
import type { ManifestRow } from '../../store/manifests/manifests.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Caller } from '../context/caller.ts'
import { type Checkpoint, noCheckpoint } from '../context/checkpoint.ts'
import type { Deps } from '../context/deps.ts'
import { type FullManifest, getManifest, getManifestRow } from './get-manifest.ts'

/** What the carrier's staff said about a manifest whose submit got no answer. */
export type ManifestFinding =
  | { submitted: true; orderId: string; costCents: number | null }
  | { submitted: false }

/**
 * Resolves a manifest that is on hold because the carrier's API can't tell whether it has the order: a person
 * has asked the carrier. If it was not submitted, its deliveries may go on another manifest. Refuses
 * `manifest_outcome_known`, unless the same request has already recorded this answer.
 */
export async function settleManifest(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  manifestId: string,
  finding: ManifestFinding,
  begun: Checkpoint = noCheckpoint,
): Promise<FullManifest> {
  const row = await getManifestRow(deps, entry, caller, manifestId)
  if (begun.at !== null && standsAs(row, finding)) return getManifest(deps, entry, caller, manifestId)
  await begun.note(deps.db, row.id)
  const target: ManifestTarget = {
    accountId: row.accountId,
    manifestId: row.id,
    fence: row.fence,
    state: 'on_hold',
    nowMs: entry.nowMs(),
  }
  const settled = finding.submitted
    ? await recordOrder(deps.db, target, {
        orderId: finding.orderId,
        costCents: finding.costCents,
        articles: new Map(),
        eventId: deps.newId('evt'),
        source: 'api',
      })
    : await recordRefusal(deps.db, target, `A person learnt that ${row.carrierName} does not have it.`)
  if (!settled) {
    throw new Refusal(
      'manifest_outcome_known',
      `Nothing about manifest ${row.id} is in doubt: it is ${row.state}.`,
    )
  }
  return getManifest(deps, entry, caller, manifestId)
}

function standsAs({ state, orderId }: ManifestRow, finding: ManifestFinding): boolean {
  return finding.submitted ? orderId === finding.orderId : state === 'refused'
}
