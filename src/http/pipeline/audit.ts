import type { FastifyRequest } from 'fastify'
import { INSTALLATION } from '../../domain/people/user.ts'
import { type Act, type AuditEntry, recorder, toActor } from '../../operations/audit/audit.ts'
import type { AuditScope } from '../contract/audit-trail.ts'
import type { AnyRequest, Endpoint, HttpResponse } from '../contract/endpoint.ts'

/** Whether each success of the endpoint writes an audit row. */
export function isAudited({ method, unaudited, idempotency }: Endpoint): boolean {
  return method !== 'GET' && unaudited === undefined && idempotency !== 'none'
}

/**
 * Wraps the endpoint so that each success that changed something writes one audit row; replayed responses write
 * nothing. The row is written before the response is stored or sent, so every success that a client sees has its row.
 */
export function audited(endpoint: Endpoint): Endpoint {
  if (!isAudited(endpoint)) return endpoint
  return {
    ...endpoint,
    async handle(ask) {
      const act = toAct(endpoint, ask)
      const write = recorder(ask.deps, act)
      let written = endpoint.audit === 'own'
      let noted: Partial<AuditEntry> = {}
      const audit: AuditScope = {
        act,
        async record(db, trace) {
          await write(db, trace)
          written = true
        },
        note(part) {
          noted = { ...noted, ...part }
        },
        nothing() {
          written = true
        },
      }
      const answer = await endpoint.handle({ ...ask, audit })
      if (!written && answer.status < 300 && answer.headers?.['idempotent-replayed'] === undefined) {
        await write(ask.deps.db, { ...toAuditEntry(ask, answer), ...noted })
      }
      return answer
    },
  }
}

function toAct({ access, operationId: action }: Endpoint, { request, caller, driver }: AnyRequest): Act {
  const { ip, id: requestId } = request
  const act = { action, ip, requestId }
  const { person } = request
  if (caller?.assistant) return { ...act, ...toActor(caller) }
  if (person) return { ...act, kind: 'user', actor: person.userId }
  if (driver) return { ...act, kind: 'driver', actor: driver.phone }
  if (caller) return { ...act, kind: 'client', actor: caller.clientId }
  if (access === 'operator') return { ...act, kind: 'operator', actor: 'token' }
  return { ...act, kind: 'link', actor: '' }
}

function toAuditEntry({ request, entry, params }: AnyRequest, answer: HttpResponse): AuditEntry {
  const data = getData(answer)
  const accountId = entry?.account.id ?? params.tenant_id ?? INSTALLATION
  if (Array.isArray(data)) {
    const ids = data.flatMap((one) => toText((one as { id?: unknown } | null)?.id) ?? [])
    return { accountId, object: findName(request, params), after: { ids } }
  }
  const status = toText(data.status)
  const object = toText(data.id) ?? toText(data.client_id) ?? findName(request, params)
  return { accountId, object, after: status === null ? null : { status } }
}

function getData({ body, headers }: HttpResponse): { [name: string]: unknown } | unknown[] {
  if (!headers?.['content-type']?.startsWith('application/json')) return {}
  return JSON.parse(body.toString()).data ?? {}
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The last parameter of the URL, which names the object if the endpoint works on one. */
function findName({ endpoint }: FastifyRequest, params: AnyRequest['params']): string | null {
  const names = [...(endpoint?.url.replace('/:tenant_id/', '/').matchAll(/:([a-z_]+)/g) ?? [])]
  const last = names.at(-1)?.[1]
  return last === undefined || last === 'token' ? null : (params[last] ?? null)
}
