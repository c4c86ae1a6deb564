import type { AccountNows } from '../store/due-deliveries.ts'
import type { Deps } from './deps.ts'

/** Claims without a settled result after which a row is taken out of the queue for a person to see. */
export const MOST_CLAIMS = 8

/** A claimed row, and this process's monotonic clock just before it was claimed. */
export type Claimed<Row> = { row: Row; claimedAtMs: number }

/** Leases up to `limit` due rows of all accounts to this process, each account by its own clock. */
export async function claimDue<Row>(
  deps: Deps,
  limit: number,
  claim: (db: Deps['db'], nows: AccountNows, limit: number, leaseMs: number) => Promise<Row[]>,
): Promise<Claimed<Row>[]> {
  const entries = deps.accounts.list()
  if (entries.length === 0) return []
  const claimedAtMs = performance.now()
  const nows = {
    accountIds: entries.map(({ account }) => account.id),
    nowsMs: entries.map((entry) => entry.nowMs()),
  }
  const rows = await claim(deps.db, nows, limit, deps.leaseMs)
  return rows.map((row) => ({ row, claimedAtMs }))
}
