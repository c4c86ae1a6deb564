import type { Pool } from 'pg'
import { findFirstLabel as findTime, storeFirstLabel } from '../../store/accounts/first-label.ts'

/** Accounts whose first label this process has recorded, by database: a later label costs no statement. */
const RECORDED = new WeakMap<Pool, Set<string>>()

/** After a label was made for a person or a program that asked for it. */
export async function recordLabel({ db }: { db: Pool }, accountId: string): Promise<void> {
  const recorded = RECORDED.get(db) ?? new Set()
  if (recorded.has(accountId)) return
  await storeFirstLabel(db, accountId)
  RECORDED.set(db, recorded.add(accountId))
}

/** When the account's first label was fetched, as epoch milliseconds; null if none was. */
export function findFirstLabel({ db }: { db: Pool }, accountId: string): Promise<number | null> {
  return findTime(db, accountId)
}
