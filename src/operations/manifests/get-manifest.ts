import { Refusal } from '../../domain/errors.ts'
import type { Manifest, ManifestDelivery } from '../../domain/manifests/manifest.ts'
import { refuse } from '../../domain/refuse.ts'
import { listMembersNow } from '../../store/manifests/manifest-candidates.ts'
import {
  findManifest,
  listManifestDeliveries,
  listManifests,
  type ManifestRow,
} from '../../store/manifests/manifests.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, visibleStoreIds } from '../directory/caller.ts'
import { readCursor, toCursor } from '../lists/cursor.ts'
import { type ListScope, listIssues, storesListed } from '../lists/list-scope.ts'
import { whyMemberGone } from './manifest-ineligible.ts'

export type FullManifest = { manifest: Manifest; deliveries: readonly ManifestDelivery[] }

/** A page ends early once it holds this many deliveries: one manifest may have ten thousand. */
const MAX_DELIVERIES = 10_000

/** The manifest. Refuses `not_found`, also for stores that the caller may not see. */
export async function getManifest(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  manifestId: string,
): Promise<FullManifest> {
  const [full] = await fullManifests(deps, [await getManifestRow(deps, entry, caller, manifestId)])
  return full as FullManifest
}

/** Like `getManifest`, but only the row. */
export async function getManifestRow(
  deps: Deps,
  { account }: AccountEntry,
  caller: Caller,
  manifestId: string,
): Promise<ManifestRow> {
  const row = await findManifest(deps.db, account.id, manifestId)
  const visible = visibleStoreIds(account, caller)
  if (row && (visible === null || visible.includes(row.storeId))) return row
  throw new Refusal('not_found', `There is no manifest ${manifestId}.`)
}

export const MANIFEST_PLACE = /^man_[0-9a-z]{26}$/

/** One page, newest first. `next` is the cursor of the page after it, null on the last one. */
export async function listManifestPage(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  { limit, ...scope }: ListScope & { limit: number },
): Promise<{ manifests: FullManifest[]; next: string | null }> {
  const issues = listIssues(entry, caller, scope, MANIFEST_PLACE)
  if (issues.length > 0) refuse(issues)
  const rows = await listManifests(deps.db, entry.account.id, {
    storeIds: storesListed(entry, caller, scope.storeReference),
    beforeId: readCursor(scope.after, MANIFEST_PLACE),
    limit: limit + 1,
  })
  const page = rows.slice(0, Math.min(limit, rowsWithin(rows, MAX_DELIVERIES)))
  const last = page.at(-1)
  const next = last && rows.length > page.length ? toCursor(last.id) : null
  return { manifests: await fullManifests(deps, page), next }
}

/** Adds the deliveries to rows of one account. */
export async function fullManifests(deps: Deps, rows: readonly ManifestRow[]): Promise<FullManifest[]> {
  const [first] = rows
  if (!first) return []
  const ids = rows.map(({ id }) => id)
  const deliveries = Map.groupBy(
    await listManifestDeliveries(deps.db, first.accountId, ids),
    ({ manifestId }) => manifestId,
  )
  const gone = await listGone(deps, rows)
  return rows.map((manifest) => ({
    manifest,
    deliveries: (deliveries.get(manifest.id) ?? []).map((one) => ({
      ...one,
      notEligible: gone.get(toKey(manifest.id, one.deliveryId)) ?? null,
    })),
  }))
}

/** A draft or a refused manifest reserves nothing: why each of its deliveries can no longer be submitted with it. */
async function listGone(deps: Deps, rows: readonly ManifestRow[]): Promise<Map<string, string>> {
  const open = new Map(
    rows.filter(({ state }) => state === 'draft' || state === 'refused').map((row) => [row.id, row]),
  )
  const [first] = open.values()
  const account = first && (await deps.accounts.find(first.accountId))?.account
  if (!account) return new Map()
  const members = await listMembersNow(deps.db, first.accountId, [...open.keys()])
  return new Map(
    members.flatMap((member) => {
      const manifest = open.get(member.onManifest)
      const why = manifest && whyMemberGone(account, manifest, member)
      return why ? [[toKey(member.onManifest, member.deliveryId), why] as const] : []
    }),
  )
}

const toKey = (manifestId: string, deliveryId: string) => `${manifestId} ${deliveryId}`

/** How many rows, from the first, hold at most `max` deliveries together; at least one. */
function rowsWithin(rows: readonly ManifestRow[], max: number): number {
  let sum = 0
  const over = rows.findIndex(({ deliveries }) => {
    sum += deliveries
    return sum > max
  })
  return over === -1 ? rows.length : Math.max(1, over)
}
