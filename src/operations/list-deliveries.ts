import type { Account } from '../domain/account/account.ts'
import type { Delivery, ManifestStatus } from '../domain/delivery/delivery.ts'
import type { Status } from '../domain/delivery/status.ts'
import { Refusal } from '../domain/errors.ts'
import { findLiveSince } from '../store/account-versions.ts'
import { listDeliveries as listRows } from '../store/deliveries.ts'
import { deliveryOf } from '../store/delivery-rows.ts'
import type { AccountEntry } from './account-directory.ts'
import { type Caller, visibleStoreIds } from './caller.ts'
import type { Deps } from './deps.ts'

export type ListFilter = {
  storeReference: string | null
  status: Status | null
  manifestStatus: ManifestStatus | null
  reference: string | null
  createdFromMs: number | null
  createdToMs: number | null
  /** A local day: what is still open and ready before its end, and what ended on it. */
  dayMs: { fromMs: number; toMs: number } | null
  q: string | null
  /** The `next` of the page before. */
  after: string | null
  limit: number
}

/** One page, newest first. `next` is the cursor of the page after it, null on the last one. */
export async function listDeliveries(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  filter: ListFilter,
): Promise<{ deliveries: Delivery[]; next: string | null }> {
  const rows = await listRows(deps.db, entry.account.id, {
    storeIds: storesOf(entry, caller, filter.storeReference),
    status: filter.status,
    manifestStatus: filter.manifestStatus,
    reference: filter.reference,
    createdFromMs: filter.createdFromMs,
    createdToMs: filter.createdToMs,
    idsTellTimeFromMs:
      filter.createdFromMs === null && filter.createdToMs === null ? null : await liveSince(deps, entry),
    day: filter.dayMs,
    text: filter.q,
    beforeId: filter.after === null ? null : idOfCursor(filter.after),
    limit: filter.limit + 1,
  })
  const page = rows.slice(0, filter.limit)
  const last = page.at(-1)
  return {
    deliveries: page.map(deliveryOf),
    next: rows.length > filter.limit && last ? cursorOf(last.delivery_id) : null,
  }
}

/** Asked of the database once a version: another one may be the first that is live. */
const known = new WeakMap<Account, number>()

/** Since when the account keeps the wall clock, of which ids are made; null: it may have a clock of its own. */
async function liveSince({ db }: Deps, { account }: AccountEntry): Promise<number | null> {
  if (account.mode !== 'live') return null
  const sinceMs = known.get(account) ?? (await findLiveSince(db, account.id))
  if (sinceMs !== null) known.set(account, sinceMs)
  return sinceMs
}

function storesOf(entry: AccountEntry, caller: Caller, reference: string | null): string[] | null {
  const visible = visibleStoreIds(entry.account, caller)
  if (reference === null) return visible
  const store = entry.account.storeByReference.get(reference)
  if (!store) {
    throw new Refusal('invalid_request', 'The query cannot be answered as it is.', {
      issues: [
        { field: 'store_reference', issue: 'unknown_store', message: `There is no store ${reference}.` },
      ],
    })
  }
  if (visible && !visible.includes(store.id))
    throw new Refusal('not_found', `There is no store ${reference}.`)
  return [store.id]
}

function cursorOf(deliveryId: string): string {
  return Buffer.from(deliveryId).toString('base64url')
}

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^dlv_[0-9a-z]{26}$/.test(id)) return id
  throw new Refusal('invalid_request', 'The query cannot be answered as it is.', {
    issues: [
      {
        field: 'after',
        issue: 'invalid_value',
        message: 'after must be the `next` of an earlier page, unchanged.',
      },
    ],
  })
}
