import type { ActorKind } from '../../domain/people/actor.ts'
import { type AuditRow, insertAuditRow } from '../../store/accounts/audit-log.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from './deps.ts'

/** Who does what, as it is known before anything is done. */
export type Act = {
  kind: ActorKind
  actor: string
  action: string
  ip: string | null
  requestId: string | null
}

/** What it was done to, as only the work knows. */
export type AuditEntry = {
  accountId: string
  object: string | null
  before?: object | null
  after?: object | null
  /** Whoever did it, where that is known only when it is done: who logs in, whose link it is. */
  by?: Pick<Act, 'kind' | 'actor'>
}

/** Writes the one row of an act; inside the transaction of what it tells, where there is one. Null: nothing was changed. */
export type WriteAudit = (db: Parameters<typeof insertAuditRow>[0], trace: AuditEntry | null) => Promise<void>

/** What is written of an operation that leaves a delivery as it stands here. */
export function auditFields({ account_id, delivery_id, status }: DeliveryRow): AuditEntry {
  return { accountId: account_id, object: delivery_id, after: { status } }
}

/** For what nobody asked for: the demo's accounts, and tests of other things. */
export const noAudit: WriteAudit = async () => {}

export function recorder({ newId }: Pick<Deps, 'newId'>, act: Act): WriteAudit {
  return async (db, trace) => {
    if (trace) await insertAuditRow(db, auditRow({ newId }, act, trace))
  }
}

export function auditRow({ newId }: Pick<Deps, 'newId'>, act: Act, trace: AuditEntry): AuditRow {
  return {
    account_id: trace.accountId,
    audit_id: newId('aud'),
    actor_kind: (trace.by ?? act).kind,
    actor: (trace.by ?? act).actor,
    action: act.action,
    object: trace.object,
    before: trace.before ?? null,
    after: trace.after ?? null,
    ip: act.ip,
    request_id: act.requestId,
  }
}
