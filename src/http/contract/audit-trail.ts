import type { Act, AuditEntry, WriteAudit } from '../../operations/context/audit.ts'

/** What a handler may do about its row of the audit log. All of it may be left out: then the row is made of the answer. */
export type AuditScope = {
  /** Who does what; for the operation that writes the row in its own statement. */
  act: Act
  /** Writes the row: given to operations, it is in the transaction of what it tells. */
  record: WriteAudit
  /** What the answer does not say. */
  note(part: Partial<AuditEntry>): void
  /** It succeeded without changing anything. */
  nothing(): void
}

/** For what only reads: there is no row to write. */
export const NO_AUDIT_SCOPE: AuditScope = {
  act: { kind: 'client', actor: '', action: '', ip: null, requestId: null },
  record: async () => {},
  note() {},
  nothing() {},
}
