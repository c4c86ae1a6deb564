import { type AuditEntry, type AuditFilter, listAuditRows } from '../../store/accounts/audit-log.ts'
import type { Deps } from '../deps.ts'
import { readCursor, toCursor } from '../lists/cursor.ts'

export type AuditListFilter = Omit<AuditFilter, 'beforeId'> & {
  /** `next` of the previous page. */
  after: string | null
}

export const AUDIT_PLACE = /^aud_[0-9a-z]{26}$/

/** One page of an account's audit log, newest first. `next` is null on the last page. */
export async function listAudit(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  { after, limit, ...filter }: AuditListFilter,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const beforeId = readCursor(after, AUDIT_PLACE)
  const rows = await listAuditRows(db, accountId, { ...filter, beforeId, limit: limit + 1 })
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const next = rows.length > limit && last ? toCursor(last.audit_id) : null
  return { entries, next }
}

export type { AuditEntry }
