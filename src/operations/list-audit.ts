import { Refusal } from '../domain/errors.ts'
import { type AuditEntry, type AuditFilter, listAuditRows } from '../store/audit-log.ts'
import type { Deps } from './deps.ts'

export type AuditListFilter = Omit<AuditFilter, 'beforeId'> & {
  /** The `next` of the page before. */
  after: string | null
}

/** One page of who changed what in an account, newest first. `next` is null on the last one. */
export async function listAudit(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  { after, limit, ...filter }: AuditListFilter,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const beforeId = after === null ? null : idOfCursor(after)
  const rows = await listAuditRows(db, accountId, { ...filter, beforeId, limit: limit + 1 })
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  const next = rows.length > limit && last ? Buffer.from(last.audit_id).toString('base64url') : null
  return { entries, next }
}

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^aud_[0-9a-z]{26}$/.test(id)) return id
  const message = 'after must be the `next` of an earlier page, unchanged.'
  throw new Refusal('invalid_request', 'The query cannot be answered as it is.', {
    issues: [{ field: 'after', issue: 'invalid_value', message }],
  })
}

export type { AuditEntry }
