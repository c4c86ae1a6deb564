import type { ActorKind } from '../../domain/people/actor.ts'
import { type AuditRow, insertAuditRow } from '../../store/accounts/audit-log.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../directory/caller.ts'

/** The actor and the action, as known before the operation runs. */
export type Act = {
  kind: ActorKind
  actor: string
  action: string
  ip: string | null
  requestId: string | null
  /** The assistant that acts in the user's name. */
  assistant?: string
}

/** An API client, or the user whose assistant calls. */
export function toActor({ clientId, assistant }: Caller): Pick<Act, 'kind' | 'actor' | 'assistant'> {
  if (!assistant) return { kind: 'client', actor: clientId }
  return { kind: 'user', actor: clientId, assistant: assistant.assistantId }
}

/** What the action changed; only the operation knows it. */
export type AuditEntry = {
  accountId: string
  object: string | null
  before?: object | null
  after?: object | null
  /** The actor, if known only afterwards: the user who logs in, or the person whose link was opened. */
  by?: Pick<Act, 'kind' | 'actor'>
}

/**
 * Writes the audit row of an action, inside the transaction of the change if there is one. Null: nothing was changed.
 */
export type WriteAudit = (db: Parameters<typeof insertAuditRow>[0], trace: AuditEntry | null) => Promise<void>

/** The audit fields of an operation that leaves the delivery in the state of this row. */
export function auditFields({ account_id, delivery_id, status }: DeliveryRow): AuditEntry {
  return { accountId: account_id, object: delivery_id, after: { status } }
}

/** For changes that no caller requested: the demo's accounts, and tests of other subjects. */
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
    after: act.assistant === undefined ? (trace.after ?? null) : { ...trace.after, assistant: act.assistant },
    ip: act.ip,
    request_id: act.requestId,
  }
}
