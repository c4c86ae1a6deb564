import type { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import { recorder, toActor } from '../../../operations/audit/audit.ts'
import { scopeRefusal } from '../../admission/admission.ts'
import { charge } from '../../admission/cost-of-request.ts'
import type { Endpoint, TenantRequest } from '../../contract/endpoint.ts'
import { ERRORS, problemType } from '../../contract/errors.ts'
import { findRefusal, RETRY_AFTER_SECONDS } from '../../contract/problem.ts'
import { COMBINED_ANSWERS, getAnswerSchema } from './answer-schemas.ts'
import { COMBINATIONS } from './combined-reads.ts'
import type { McpQuery } from './mcp-routes.ts'
import { plannedTools } from './planned-tools.ts'
import { PLANS } from './plans.ts'
import { present } from './present.ts'
import { type Arguments, argumentChecker, readEndpoint } from './read-endpoint.ts'
import { describe, type ListedTool, type Ready, refusalOf } from './ready-tool.ts'
import { summarise } from './summarise.ts'
import { COMBINED_TOOLS, type CombinedTool, ENDPOINT_TOOLS, type EndpointTool, toInput } from './tools.ts'

/** The action of the audit rows: the endpoint's operationId, as for every other request. */
export const MCP_OPERATION = 'callMcp'

/** A tool's answer, in the protocol's form. */
export type ToolAnswer = {
  content: { type: 'text'; text: string }[]
  structuredContent: Record<string, unknown>
  isError?: true
}

export type Toolbox = {
  /** The tools that the caller's scopes and the request's address allow. */
  list(ask: TenantRequest): ListedTool[]
  /** Null if no tool at this address has this name. A refusal is an answer too: models read its rule and remedy. */
  call(ask: TenantRequest, name: string, args: Arguments): Promise<ToolAnswer | null>
}
export function makeToolbox(endpoints: readonly Endpoint[]): Toolbox {
  const byOperation = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]))
  const getEndpoint = (operationId: string): Endpoint => {
    const endpoint = byOperation.get(operationId)
    if (!endpoint) throw new Error(`No endpoint is called ${operationId}.`)
    return endpoint
  }
  const ready = [
    ...COMBINED_TOOLS.map((tool) => combined(tool, getEndpoint)),
    ...ENDPOINT_TOOLS.map((tool) => single(tool, getEndpoint(tool.operationId))),
    ...PLANS.flatMap((plan) => plannedTools(plan, getEndpoint(plan.operationId))),
  ]
  const byName = new Map(ready.map((one) => [one.tool.name, one]))
  return {
    list: (ask) =>
      ready.filter((one) => isOffered(one, ask) && !one.refusalFor(ask.caller)).map((one) => one.list()),
    async call(ask, name, args) {
      const one = byName.get(name)
      return one && isOffered(one, ask) ? callTool(one, ask, structuredClone(args)) : null
    },
  }
}

/**
 * Read-only by default: the address that a client connects to opts in to tools that change something. The person who
 * connected an assistant must have allowed changes, too.
 */
export function changesAllowed({ query, caller }: TenantRequest): boolean {
  return (query as McpQuery | undefined)?.tools === 'write' && caller.assistant?.access !== 'read'
}

function isOffered({ isOfChange }: Ready, ask: TenantRequest): boolean {
  return !isOfChange || changesAllowed(ask)
}

function single(tool: EndpointTool, endpoint: Endpoint): Ready {
  const input = toInput(tool, endpoint)
  const check = argumentChecker(input, endpoint)
  return {
    ...describe(tool, { input, answer: getAnswerSchema(endpoint) }, (caller) => refusalOf(endpoint, caller)),
    answer: (ask, args) => readEndpoint(endpoint, ask, args, check(args)),
  }
}

function combined(tool: CombinedTool, getEndpoint: (operationId: string) => Endpoint): Ready {
  const { input, scope, combine } = tool
  const check = argumentChecker(input, {})
  const getData = (operationId: string) => getAnswerSchema(getEndpoint(operationId)).shape.data as z.ZodType
  const answer = COMBINED_ANSWERS[combine](getData)
  return {
    ...describe(tool, { input, answer }, (caller) => scopeRefusal(caller, scope)),
    async answer(ask, args) {
      const issues = check(args)
      return COMBINATIONS[combine](ask, args, async (operationId, given) => {
        const endpoint = getEndpoint(operationId)
        return refusalOf(endpoint, ask.caller) ? null : readEndpoint(endpoint, ask, given, issues)
      })
    },
  }
}

/** Every call writes an audit row before its answer is sent: who, which tool, which outcome. No arguments. */
async function callTool(one: Ready, ask: TenantRequest, args: Arguments): Promise<ToolAnswer> {
  const { tool } = one
  const includePersonalData = tool.hasCustomers && args.include_personal_data === true
  try {
    const { data, outcome } = await answerOrRefusal(one, ask, args)
    await record(ask, { tool: tool.name, outcome, personal_data: includePersonalData }, findId(data))
    if (data instanceof Refusal) return refused(data)
    const shown = present(data, { ...tool, includePersonalData }) as Record<string, unknown>
    const content = tool.hasCustomers
      ? { ...shown, personal_data: includePersonalData ? 'included' : 'masked' }
      : shown
    // The specification asks for the JSON as text too, for clients that do not support structured content.
    const texts = [summarise(tool.title, content), JSON.stringify(content)]
    return { content: texts.map((text) => ({ type: 'text', text })), structuredContent: content }
  } catch (error) {
    // The database may be unreachable when the audit row is written.
    const refusal = findRefusal(error)
    if (!refusal) throw error
    return refused(refusal)
  }
}

async function answerOrRefusal(
  { tool, refusalFor, answer }: Ready,
  ask: TenantRequest,
  args: Arguments,
): Promise<{ data: Record<string, unknown> | Refusal; outcome: string }> {
  try {
    const refusal = refusalFor(ask.caller)
    if (refusal) throw refusal
    charge(ask.request, tool.extraCost ?? 0, 'requests')
    return { data: await answer(ask, args), outcome: 'ok' }
  } catch (error) {
    const refusal = findRefusal(error)
    if (!refusal) throw error
    return { data: refusal, outcome: refusal.code }
  }
}

async function record(ask: TenantRequest, after: object, object: string | null): Promise<void> {
  const { deps, entry, caller, request } = ask
  const { ip, id: requestId } = request
  const act = { ...toActor(caller), action: MCP_OPERATION, ip, requestId }
  await recorder(deps, act)(deps.db, { accountId: entry.account.id, object, after })
}

/** Drover's id of what was read: an id is not personal data, whereas an argument may be anything. */
function findId(data: Record<string, unknown> | Refusal): string | null {
  const id = data instanceof Refusal ? undefined : (data.data as { id?: unknown } | undefined)?.id
  return typeof id === 'string' ? id : null
}

/** A refusal as a tool's error: Drover's own words, with the field, the rule and the remedy. */
function refused(refusal: Refusal): ToolAnswer {
  const { code, message, issues, details } = refusal
  const { title, meaning, remedy } = ERRORS[code]
  const { challenge: _, ...more } = details
  const retry_after_seconds = RETRY_AFTER_SECONDS[code]
  const error = {
    ...{ code, title, detail: message, rule: meaning, remedy, type: problemType(code) },
    ...(issues.length > 0 ? { errors: issues } : {}),
    ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
    ...more,
  }
  return {
    content: [{ type: 'text', text: JSON.stringify({ error }) }],
    structuredContent: { error },
    isError: true,
  }
}
