import type { z } from 'zod'
import { INSTALLATION } from '../../../domain/people/user.ts'
import { AUDIT_PLACE, type AuditEntry, listAudit } from '../../../operations/insights/list-audit.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import {
  type Endpoint,
  type HttpResponse,
  json,
  openEndpoint,
  tenantEndpoint,
} from '../../contract/endpoint.ts'
import { placeIssues } from '../../input/list-query.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { AuditAnswer, AuditQuery } from './audit-schema.ts'

const shared = {
  method: 'GET',
  tag: 'People',
  query: AuditQuery,
  moreOfQuery: placeIssues(AUDIT_PLACE),
  answers: { 200: { description: 'One page of entries, newest first.', schema: AuditAnswer } },
  refusals: [],
} as const

export const AUDIT_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    ...shared,
    url: '/:tenant_id/audit-log',
    operationId: 'listAudit',
    readsReplica: true,
    access: 'account',
    summary: 'List the audit log of the account',
    description:
      'Each operation that changed data has one entry, and so has each tool call of an assistant (`callMcp`). Entries never change. They are kept for `retention.audit_days` of the account document (default 2,557). An entry younger than 400 days cannot be deleted.',
    handle: ({ deps, entry, query }) => getPage(deps, entry.account.id, query),
  }),
  openEndpoint({
    ...shared,
    url: '/admin/audit-log',
    operationId: 'listInstallationAudit',
    readsReplica: true,
    access: 'operator',
    summary: 'List the audit log of the installation: operators and their logins',
    handle: ({ deps, query }) => getPage(deps, INSTALLATION, query),
  }),
]

async function getPage(
  deps: HttpDeps,
  accountId: string,
  query: z.infer<typeof AuditQuery>,
): Promise<HttpResponse> {
  const { entries, next } = await listAudit(deps, accountId, {
    actor: query.actor ?? null,
    action: query.action ?? null,
    object: query.object ?? null,
    after: query.after ?? null,
    limit: query.limit ?? 50,
  })
  return json(200, { data: entries.map(fromEntry), pagination: { next, has_more: next !== null } })
}

function fromEntry(entry: AuditEntry) {
  return {
    id: entry.audit_id,
    at: recordTime(entry.at),
    actor: { kind: entry.actor_kind, id: entry.actor, name: entry.actor_name },
    action: entry.action,
    object: entry.object,
    before: entry.before,
    after: entry.after,
    ip: entry.ip,
    request_id: entry.request_id,
  }
}
