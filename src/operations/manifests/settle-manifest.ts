import { Refusal } from '../../domain/errors.ts'
import {
  getSubmitAttempt,
  type WhyNotManifest,
  whyNotManifest,
} from '../../domain/manifests/manifest-actions.ts'
import { type ManifestTarget, recordOrder, recordRefusal } from '../../store/manifests/change-manifest.ts'
import type { ManifestRow } from '../../store/manifests/manifests.ts'
import { takeManifest } from '../../store/manifests/take-manifest.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { type Checkpoint, noCheckpoint } from '../idempotency/checkpoint.ts'
import { type FullManifest, getManifest, getManifestRow } from './get-manifest.ts'

/** What the carrier's staff said about a manifest whose submit got no answer. */
export type ManifestFinding =
  | { submitted: true; orderId: string; costCents: number | null }
  | { submitted: false }

/**
 * Resolves a manifest with an unknown outcome by what the carrier told a person.
 * Not while a request to the carrier is in progress. If it was not submitted, its deliveries are free again. Refuses
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
  const why = whyNotManifest('settle', {
    ...{ state: row.state, attempt: getSubmitAttempt(row), hasIneligible: false },
  })
  if (why !== null) throw outcomeKnown(row, why)
  await begun.note(deps.db, row.id)
  const fence = row.state === 'submitting' ? await takeManifest(deps.db, row, deps.leaseMs) : row.fence
  if (fence === null) throw outcomeKnown(row, 'in_progress')
  const target: ManifestTarget = {
    accountId: row.accountId,
    manifestId: row.id,
    fence,
    state: row.state === 'submitting' ? 'submitting' : 'on_hold',
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
    : await recordRefusal(
        deps.db,
        target,
        `${row.carrierName}’s staff said that they do not have the manifest.`,
      )
  if (!settled) throw outcomeKnown(await getManifestRow(deps, entry, caller, manifestId), 'answered')
  return getManifest(deps, entry, caller, manifestId)
}

function outcomeKnown({ id, state, carrierName }: ManifestRow, why: WhyNotManifest): Refusal {
  return new Refusal(
    'manifest_outcome_known',
    why === 'in_progress'
      ? `${carrierName} has a request about manifest ${id} in progress. Try again in a few seconds.`
      : `The outcome of manifest ${id} is known: it is ${state}.`,
  )
}

function standsAs({ state, orderId }: ManifestRow, finding: ManifestFinding): boolean {
  return finding.submitted ? orderId === finding.orderId : state === 'refused'
}
