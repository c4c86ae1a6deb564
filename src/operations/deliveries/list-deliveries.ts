import type { Account } from '../../domain/account/account.ts'
import type { Delivery, ManifestStatus } from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import type { Issue } from '../../domain/errors.ts'
import { refuse } from '../../domain/refuse.ts'
import { findLiveSince } from '../../store/accounts/account-versions.ts'
import { listStoreReferences } from '../../store/accounts/accounts.ts'
import {
  type DeliveryVersion,
  findVersions,
  listDeliveries as listVersions,
} from '../../store/deliveries/deliveries.ts'
import { toDelivery } from '../../store/deliveries/delivery-rows.ts'
import type { EndedFilter } from '../../store/deliveries/ended-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { readCursor, toCursor } from '../lists/cursor.ts'
import { type ListScope, listIssues, storesListed } from '../lists/list-scope.ts'
import { type DaysAsked, daysIssues, daysMeant, toInstants } from './ended-period.ts'

export type ListFilter = ListScope & {
  status: Status | null
  manifestStatus: ManifestStatus | null
  reference: string | null
  createdFromMs: number | null
  createdToMs: number | null
  /** A local day: open deliveries that are ready before its end, and deliveries that ended on it. */
  dayMs: { fromMs: number; toMs: number } | null
  /** The filters of insights (ended deliveries); null: no filter. */
  ended: EndedAsked | null
  q: string | null
  limit: number
}
export type EndedAsked = DaysAsked & Pick<EndedFilter, 'timeliness' | 'provider' | 'service'>

const DELIVERY_PLACE = /^dlv_[0-9a-z]{26}$/

/**
 * One page, newest first, without the deliveries themselves: `readVersions` reads those that the caller does not have in
 * this version. `next` is the cursor of the next page, null on the last one.
 */
export async function listDeliveries(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  filter: ListFilter,
): Promise<{ page: DeliveryVersion[]; next: string | null }> {
  const issues = deliveryListIssues(entry, caller, filter)
  if (issues.length > 0) refuse(issues)
  const storeIds = storesListed(entry, caller, filter.storeReference)
  const { ended } = filter
  const rows = await listVersions(deps.db, entry.account.id, {
    storeIds,
    status: filter.status,
    manifestStatus: filter.manifestStatus,
    reference: filter.reference,
    createdFromMs: filter.createdFromMs,
    createdToMs: filter.createdToMs,
    idsTellTimeFromMs:
      filter.createdFromMs === null && filter.createdToMs === null ? null : await liveSince(deps, entry),
    day: filter.dayMs,
    ended: ended && {
      timeliness: ended.timeliness,
      provider: ended.provider,
      service: ended.service,
      storeIds: storeIds ?? [...(await listStoreReferences(deps.db, entry.account.id)).keys()],
      ...toInstants(entry, daysMeant(entry, ended)),
    },
    text: filter.q,
    beforeId: readCursor(filter.after, DELIVERY_PLACE),
    limit: filter.limit + 1,
  })
  const page = rows.slice(0, filter.limit)
  const last = page.at(-1)
  return { page, next: rows.length > filter.limit && last ? toCursor(last.deliveryId) : null }
}

/**
 * The deliveries with these ids as they are now, in any order, each with its version. A delivery that changed after it
 * was listed comes with its change, and one that was erased is missing.
 */
export async function readVersions(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<{ delivery: Delivery; rowVersion: string }[]> {
  const rows = await findVersions(db, accountId, deliveryIds)
  return rows.map((row) => ({ delivery: toDelivery(row), rowVersion: row.rowVersion }))
}

/** The issues of a list request. */
export function deliveryListIssues(
  entry: AccountEntry,
  caller: Caller,
  asked: ListScope & { ended: DaysAsked | null },
): Issue[] {
  return [
    ...(asked.ended ? daysIssues(daysMeant(entry, asked.ended), 'ended_') : []),
    ...listIssues(entry, caller, asked, DELIVERY_PLACE),
  ]
}

/** Cached per account version, because another version may be the first live one. */
const known = new WeakMap<Account, number>()

/** When the account began to use the wall clock, from which ids are made; null: it may have its own clock. */
async function liveSince({ db }: Deps, { account }: AccountEntry): Promise<number | null> {
  if (account.mode !== 'live') return null
  const sinceMs = known.get(account) ?? (await findLiveSince(db, account.id))
  if (sinceMs !== null) known.set(account, sinceMs)
  return sinceMs
}
