import { decodeTime } from 'ulid'
import type { ActorKind } from '../../domain/people/actor.ts'
import type { Db } from '../db/db.ts'
import { idAt } from '../db/id-times.ts'

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
  const between = filter.object === null ? [] : madeAbout(filter.object)
  const { rows } = await db.query<AuditEntry>({
    // Citus can’t join across accounts, so we read the people first: users of the account, and operators (account `~`).
    text: `with people as materialized (
        select user_id, coalesce(name, email) as name from users where account_id in ($1, '~'))
      select a.*, coalesce(u.name, c.name) as actor_name
      from ${filter.object === null ? 'audit_log' : OF_OBJECT} as a
      left join people as u on a.actor_kind = 'user' and u.user_id = a.actor
      left join api_clients as c on a.actor_kind = 'client' and c.account_id = a.account_id and c.client_id = a.actor
      where a.account_id = $1 and ($2::text is null or a.actor = $2) and ($3::text is null or a.action = $3)
        and ($4::text is null or a.object = $4) and ($5::text is null or a.audit_id < $5)
      order by a.audit_id desc limit $6`,
    values: [
      accountId,
      filter.actor,
      filter.action,
      filter.object,
      filter.beforeId,
      filter.limit,
      ...between,
    ],
  })
  return rows
}

/** A delivery's id contains the second of its creation, which is also the second of its audit row. */
const OF_OBJECT = `(
  select * from audit_log where account_id = $1 and object = $4 and action <> 'createDelivery'
  union all
  select * from audit_log where account_id = $1 and object = $4 and action = 'createDelivery'
    and audit_id between $7 and $8)`

const NEAR_MS = 60_000

/** Between which ids of the log a delivery was made; nulls for what is no delivery. */
function madeAbout(object: string): [string | null, string | null] {
  const ulid = /^dlv_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(object)?.[1]
  if (!ulid) return [null, null]
  const atMs = decodeTime(ulid.toUpperCase())
  return [idAt('aud', atMs - NEAR_MS), idAt('aud', atMs + NEAR_MS)]
}
