import type { ActorKind } from '../domain/people/actor.ts'
import type { Db } from './deliveries.ts'

export type AuditRow = {
  account_id: string
  audit_id: string
  actor_kind: ActorKind
  actor: string
  action: string
  object: string | null
  before: object | null
  after: object | null
  ip: string | null
  request_id: string | null
}

export type AuditEntry = AuditRow & { at: number; actor_name: string | null }

export async function insertAuditRow(db: Db, row: AuditRow): Promise<void> {
  await db.query({
    name: 'insert-audit-row',
    text: `insert into audit_log (account_id, audit_id, actor_kind, actor, action, object, before, after, ip, request_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      row.account_id,
      row.audit_id,
      row.actor_kind,
      row.actor,
      row.action,
      row.object,
      row.before && JSON.stringify(row.before),
      row.after && JSON.stringify(row.after),
      row.ip,
      row.request_id,
    ],
  })
}

export type AuditFilter = {
  actor: string | null
  action: string | null
  object: string | null
  /** Only rows older than this id. */
  beforeId: string | null
  limit: number
}

/** Newest first, with the name of whom it is that did it where it is a person or a client. */
export async function listAuditRows(db: Db, accountId: string, filter: AuditFilter): Promise<AuditEntry[]> {
  const { rows } = await db.query<AuditEntry>({
    text: `select a.*, coalesce(u.name, u.email, c.name) as actor_name
      from audit_log as a
      left join users as u on a.actor_kind = 'user' and u.user_id = a.actor and u.account_id in (a.account_id, '~')
      left join api_clients as c on a.actor_kind = 'client' and c.account_id = a.account_id and c.client_id = a.actor
      where a.account_id = $1 and ($2::text is null or a.actor = $2) and ($3::text is null or a.action = $3)
        and ($4::text is null or a.object = $4) and ($5::text is null or a.audit_id < $5)
      order by a.audit_id desc limit $6`,
    values: [accountId, filter.actor, filter.action, filter.object, filter.beforeId, filter.limit],
  })
  return rows
}
