import type { Act, AuditEntry, WriteAudit } from '../../operations/audit/audit.ts'

/** A handler's access to its audit row. All of it is optional: by default the row is made from the response. */
export type AuditScope = {
  /** The actor and the action, for operations that write the row in their own statement. */
  act: Act
  /** Writes the row; operations call it in the transaction of the change. */
  record: WriteAudit
  /** Adds details that the response does not contain. */
  note(part: Partial<AuditEntry>): void
  /** The request succeeded without changing anything, so no row is written. */
  nothing(): void
}

/** For reads: they have no audit row. */
export const NO_AUDIT_SCOPE: AuditScope = {
  act: { kind: 'client', actor: '', action: '', ip: null, requestId: null },
  record: async () => {},
  note() {},
  nothing() {},
}
