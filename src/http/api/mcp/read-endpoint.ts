import type { z } from 'zod'
import { type Issue, MAX_ISSUES } from '../../../domain/errors.ts'
import { refuse } from '../../../domain/refuse.ts'
import { noCheckpoint } from '../../../operations/idempotency/checkpoint.ts'
import { NO_AUDIT_SCOPE } from '../../contract/audit-trail.ts'
import type { AnyRequest, Endpoint, TenantRequest } from '../../contract/endpoint.ts'
import { keepNothing } from '../../idempotency/idempotency.ts'
import { bodyCleaner } from '../../input/clean-body.ts'
import { makeCheck } from '../../input/validate.ts'
import { issuesBeyondSchema, oneOfEachField, toEmptiness } from '../../pipeline/check-request.ts'
import { answerFromReplica } from '../../pipeline/serve.ts'

export type Arguments = Record<string, unknown>

/** Checks a tool's arguments as the API checks a body. Compiled at the first call. */
export type CheckArguments = (args: Arguments) => Issue[]

export function argumentChecker(
  input: z.ZodObject,
  { crossFields, clearable }: Pick<Endpoint, 'crossFields' | 'clearable'>,
): CheckArguments {
  const clean = bodyCleaner(input, toEmptiness(crossFields, clearable))
  const check = makeCheck(input)
  return (args) => {
    const invisible: Issue[] = []
    const cleared = clean(args, invisible)
    const issues = oneOfEachField([...invisible, ...check(args)])
    for (const name of cleared) args[name] = null
    return issues
  }
}

/**
 * Calls an endpoint that only reads, in this process: its checks and its operation, without HTTP. `args` has the fields
 * of its path, query and body together. Throws the endpoint's refusals.
 */
export async function readEndpoint(
  endpoint: Endpoint,
  tool: TenantRequest,
  args: Arguments,
  issues: readonly Issue[] = [],
): Promise<Record<string, unknown>> {
  const ask = toAsk(endpoint, tool, args)
  await refuseIssues(endpoint, ask, issues)
  const replica = endpoint.readsReplica ? ask.deps.readReplica : null
  const answer = await (replica ? answerFromReplica(replica, endpoint, ask) : endpoint.handle(ask))
  return JSON.parse(answer.body.toString())
}

/** The request of an endpoint, from the request of the tool. */
export function toAsk(
  endpoint: Endpoint,
  { deps, entry, caller, params: own, request }: TenantRequest,
  args: Arguments,
): AnyRequest {
  const query = pick(args, endpoint.query)
  const body = endpoint.body ? pick(args, endpoint.body as z.ZodObject) : undefined
  const params = { ...own, ...toParams(endpoint.url, args) }
  return {
    ...{ deps, entry, caller, driver: null, params, query, body, request },
    ...{ idempotency: null, audit: NO_AUDIT_SCOPE, keep: keepNothing, checkpoint: noCheckpoint },
  }
}

/** Refuses wrong arguments and lists every mistake, including those against the account's rules. */
export async function refuseIssues(
  endpoint: Endpoint,
  { deps, entry, caller, params, query, body }: AnyRequest,
  issues: readonly Issue[],
): Promise<void> {
  if (issues.length === 0) return
  const ofQuery = endpoint.moreOfQuery?.({ entry, caller, query: query as Arguments }) ?? []
  const beyond = await issuesBeyondSchema(endpoint, { deps, entry, caller, params, body })
  refuse(oneOfEachField([...issues, ...ofQuery, ...beyond]).slice(0, MAX_ISSUES))
}

function pick(args: Arguments, schema: z.ZodObject | undefined): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => schema && name in schema.shape))
}

function toParams(url: string, args: Arguments): Record<string, string> {
  const names = [...url.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.flatMap((name) => (typeof args[name] === 'string' ? [[name, args[name] as string]] : [])),
  )
}
