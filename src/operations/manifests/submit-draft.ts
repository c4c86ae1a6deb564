import type { PoolClient } from 'pg'
import { Refusal } from '../../domain/errors.ts'
import { isOfGoods } from '../../domain/manifests/group.ts'
import { getSubmitAttempt, whyNotManifest } from '../../domain/manifests/manifest-actions.ts'
import { findStatusRemedy } from '../../domain/manifests/status-remedy.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { holdForSubmit } from '../../store/manifests/make-manifests.ts'
import { listNamed, lockCandidates } from '../../store/manifests/manifest-candidates.ts'
import { findManifest, listManifestDeliveries, type ManifestRow } from '../../store/manifests/manifests.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { type FullManifest, fullManifests, getManifestRow } from './get-manifest.ts'
import { needsSeparateManifest, whyNotManifested } from './manifest-ineligible.ts'
import { MANIFESTABLE } from './manifest-store.ts'
import { awaitSubmit, submitWithin } from './submit-within.ts'

/**
 * Submits a draft, or resubmits a manifest that the carrier refused; a submitted one is returned unchanged.
 * Returns after at most 8 s, `submitting` if the carrier has not answered by then. Uses the current state of
 * its deliveries.
 *
 * Refuses `deliveries_not_eligible` naming those that have moved to another carrier or whose goods have
 * changed since, `manifest_refused` with the carrier's message, and `manifest_outcome_unknown` while only a
 * person can find out whether the carrier has it.
 */
export async function submitDraft(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  manifestId: string,
): Promise<FullManifest> {
  const seen = await getManifestRow(deps, entry, caller, manifestId)
  const claimedAtMs = performance.now()
  const { row, ours } = await withTransaction(deps.db, (db) => begin(deps, entry, db, seen))
  const [submitted] = ours
    ? await submitWithin(deps, entry, [row], claimedAtMs)
    : [await awaitSubmit(deps, row)]
  refuseUnlessGood(submitted as ManifestRow)
  const [full] = await fullManifests(deps, [submitted as ManifestRow])
  return full as FullManifest
}

/** If two clerks submit at once, the row lock lets one begin; the other finds it begun. */
async function begin(
  deps: Deps,
  { account, nowMs }: AccountEntry,
  db: PoolClient,
  seen: ManifestRow,
): Promise<{ row: ManifestRow; ours: boolean }> {
  const row = (await findManifest(db, account.id, seen.id, { lock: true })) ?? seen
  const facts = { state: row.state, attempt: getSubmitAttempt(row), hasIneligible: false }
  const why = whyNotManifest('submit', facts)
  if (why === 'discarded')
    throw new Refusal(
      'manifest_discarded',
      `Manifest ${row.id} was discarded. Create a new one with its deliveries.`,
    )
  if (why !== null) return { row, ours: false }

  const members = await listManifestDeliveries(db, account.id, [row.id])
  const deliveryIds = members.map(({ deliveryId }) => deliveryId)
  const eligible = await lockCandidates(db, account.id, row.storeId, MANIFESTABLE, { deliveryIds })
  const free = eligible.filter(
    (one) =>
      one.provider === row.provider &&
      one.manifestGroup === row.group &&
      isOfGoods({ ...one, apart: needsSeparateManifest(account, one) }, row),
  )
  if (free.length < members.length) {
    const found = new Set(free.map(({ deliveryId }) => deliveryId))
    await refuseGone(
      db,
      row,
      deliveryIds.filter((id) => !found.has(id)),
    )
  }
  const times = { nowMs: nowMs(), leaseMs: deps.leaseMs }
  return { row: await holdForSubmit(db, row, free, times), ours: true }
}

async function refuseGone(db: PoolClient, row: ManifestRow, deliveryIds: readonly string[]): Promise<never> {
  const gone = await listNamed(db, row.accountId, row.storeId, { deliveryIds })
  const references = gone.map(({ reference }) => reference)
  const message = gone
    .slice(0, MAX_MESSAGE)
    .map((one) => `${one.reference} ${whyNotManifested(one)}`)
    .join('; ')
  const more = gone.length > MAX_MESSAGE ? `, and ${gone.length - MAX_MESSAGE} more` : ''
  throw new Refusal(
    'deliveries_not_eligible',
    `Manifest ${row.id} cannot be submitted as it is: ${message}${more}.`,
    {
      details: { delivery_references: references },
    },
  )
}

const MAX_MESSAGE = 10

function refuseUnlessGood(manifest: ManifestRow): void {
  const { id, state, stateReason } = manifest
  if (state === 'refused') {
    throw new Refusal('manifest_refused', `Manifest ${id} was refused. ${stateReason ?? ''}`.trim())
  }
  if (state === 'on_hold') {
    throw new Refusal(
      'manifest_outcome_unknown',
      `Manifest ${id} waits for a person. ${stateReason ?? ''} ${findStatusRemedy(manifest) ?? ''}`.trim(),
    )
  }
}
