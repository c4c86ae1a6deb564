import type { Lodged } from '../../carriers/port/carrier.ts'
import { retryBackoffMs } from '../../domain/delivery/backoff.ts'
import {
  type ManifestTarget,
  recordOrder,
  recordRefusal,
  recordWaiting,
} from '../../store/manifests/change-manifest.ts'
import { extendManifestLease } from '../../store/manifests/due-manifests.ts'
import type { ManifestRow } from '../../store/manifests/manifests.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { leaseGuard } from '../leases/claim.ts'

/**
 * One submit in progress: the leased row, its account and its process. Every write below fails once the lease
 * is lost.
 */
export type ManifestWork = {
  deps: Deps
  entry: AccountEntry
  row: ManifestRow
  source: 'api' | 'worker'
  /**
   * Checked right before each call to a carrier: whether this process still holds the lease, for long enough.
   */
  mayCall(): Promise<boolean>
}

/** With backoff pauses of up to 10 minutes, these tries take about four hours. */
const MAX_ATTEMPTS = 30

export function manifestWork(
  deps: Deps,
  entry: AccountEntry,
  row: ManifestRow,
  claimedAtMs: number,
  source: ManifestWork['source'],
): ManifestWork {
  const mayCall = leaseGuard(deps.leaseMs, claimedAtMs, () => extendManifestLease(deps.db, row, deps.leaseMs))
  return { deps, entry, row, source, mayCall }
}

export function toManifestTarget({ entry, row }: ManifestWork): ManifestTarget {
  return {
    accountId: row.accountId,
    manifestId: row.id,
    fence: row.fence,
    state: 'submitting',
    nowMs: entry.nowMs(),
  }
}

/** The carrier accepted the manifest. */
export async function recordLodged(
  work: ManifestWork,
  { orderId, costCents, articles }: Lodged,
): Promise<void> {
  const { deps, source } = work
  const named = new Map([...articles].filter(([, rows]) => rows.length > 0))
  const order = { orderId, costCents, articles: named, eventId: deps.newId('evt'), source }
  await recordOrder(deps.db, toManifestTarget(work), order)
}

/** The carrier refused the manifest; its deliveries may go on another one. */
export async function recordRefused(work: ManifestWork, message: string): Promise<void> {
  await recordRefusal(work.deps.db, toManifestTarget(work), message)
}

/** Nothing reached the carrier: retry after a backoff, up to MAX_ATTEMPTS. */
export async function recordLater(work: ManifestWork, message: string): Promise<void> {
  const { deps, entry, row } = work
  if (row.attempts >= MAX_ATTEMPTS) {
    await recordRefused(work, `${row.carrierName} could not be reached: ${message}`)
    return
  }
  const reason = `${row.carrierName} could not be reached; it is asked again. ${message}`
  const dueAtMs = entry.nowMs() + pauseMs(work)
  await recordWaiting(deps.db, toManifestTarget(work), {
    state: 'submitting',
    reason,
    submissionState: null,
    dueAtMs,
  })
}

/**
 * The carrier may have the manifest: nothing is sent until we know, from the carrier or in the end from a
 * person.
 */
export async function recordUnknown(
  work: ManifestWork,
  waitMs: number,
  also: { settleMs?: number; unclearRefusal?: string } = {},
): Promise<void> {
  const { deps, entry, row } = work
  if (row.attempts >= MAX_ATTEMPTS) {
    await recordHold(work, `${row.carrierName} did not say whether it has our manifest ${row.id}.`)
    return
  }
  await recordWaiting(deps.db, toManifestTarget(work), {
    state: 'submitting',
    reason: `Waiting for ${row.carrierName} to say whether it has the manifest.`,
    submissionState: 'unknown',
    dueAtMs: entry.nowMs() + waitMs,
    ...also,
  })
}

/** A person has to ask the carrier: the manifest keeps its deliveries until they record the answer. */
export async function recordHold(work: ManifestWork, reason: string): Promise<void> {
  await recordWaiting(work.deps.db, toManifestTarget(work), {
    state: 'on_hold',
    reason,
    submissionState: 'unknown',
    dueAtMs: null,
  })
}

/** Backoff with jitter before this manifest is submitted or looked up again. */
export function pauseMs({ row }: ManifestWork): number {
  return retryBackoffMs(row.attempts, Math.random())
}
