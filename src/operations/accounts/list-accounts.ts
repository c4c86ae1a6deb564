import { type ListedAccount, listAccountRows } from '../../store/accounts/accounts.ts'
import type { Deps } from '../deps.ts'

/** Every account, in the order of their ids, with its own time. */
export async function listAccounts({
  db,
  accounts,
}: Pick<Deps, 'db' | 'accounts'>): Promise<(ListedAccount & { nowMs: number })[]> {
  const rows = await listAccountRows(db)
  return rows.map((row) => ({ ...row, nowMs: accounts.nowMs(row.accountId) }))
}
