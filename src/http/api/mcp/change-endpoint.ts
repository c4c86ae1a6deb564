import { Refusal, type RefusalCode } from '../../../domain/errors.ts'
import { noCheckpoint } from '../../../operations/idempotency/checkpoint.ts'
import type { Endpoint, HttpResponse, TenantRequest } from '../../contract/endpoint.ts'
import { answerErrorOnce, answerOnce, fingerprint, keepNothing } from '../../idempotency/idempotency.ts'
import { audited } from '../../pipeline/audit.ts'
import { type Arguments, toAsk } from './read-endpoint.ts'

/**
 * Carries out an endpoint that changes something, in this process: once for each idempotency key, with the endpoint's own
 * audit row. `isStillTrue` throws if what was confirmed is no longer true. A repeat that takes over a half-finished
 * request does not call it, because that request has already changed something.
 */
export async function changeEndpoint(
  endpoint: Endpoint,
  ask: TenantRequest,
  { args, key }: { args: Arguments; key: string },
  isStillTrue: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const { deps, entry, caller, request } = ask
  const { operationId, method } = endpoint
  const idempotency = {
    key,
    fingerprint: fingerprint(method, `mcp:${operationId}`, args, caller.storeReferences),
  }
  const keyed = { accountId: entry.account.id, ...idempotency }
  const { handle } = audited(endpoint)
  const work = async (keep = keepNothing, checkpoint = noCheckpoint): Promise<HttpResponse> => {
    if (checkpoint.at === null) await isStillTrue()
    return handle({ ...toAsk(endpoint, ask, args), idempotency, keep, checkpoint })
  }
  const answer = await (endpoint.idempotency === 'own'
    ? answerErrorOnce(deps, keyed, request.id, () => work())
    : answerOnce(deps, keyed, request.id, work))
  const body = JSON.parse(answer.body.toString())
  if (answer.status >= 400) throw toRefusal(body)
  return body
}

/** A stored problem document as the refusal that it was. */
function toRefusal(problem: Record<string, unknown>): Refusal {
  const { code, detail, errors, type: _, title: __, status: ___, request_id: ____, ...details } = problem
  return new Refusal(code as RefusalCode, String(detail), {
    issues: (errors as Refusal['issues'] | undefined) ?? [],
    details,
  })
}
