import type { z } from 'zod'
import type { Refusal } from '../../../domain/errors.ts'
import type { Caller } from '../../../operations/directory/caller.ts'
import { scopeRefusal } from '../../admission/admission.ts'
import type { Endpoint, TenantRequest } from '../../contract/endpoint.ts'
import { toJsonSchema } from '../../input/validate.ts'
import { toOutputSchema } from './answer-schemas.ts'
import { toModelSchema } from './model-schema.ts'
import type { Arguments } from './read-endpoint.ts'
import type { ToolText } from './tools.ts'

/** A tool as `tools/list` shows it. */
export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  outputSchema: Record<string, unknown>
  annotations: Record<string, boolean>
}

/** A tool that can be called. Its schemas are made when it is first listed: a call does not need them. */
export type Ready = {
  tool: ToolText
  list(): ListedTool
  /** One step of a change: not offered unless the client opts in. */
  isOfChange: boolean
  refusalFor(caller: Caller): Refusal | null
  answer(ask: TenantRequest, args: Arguments): Promise<Record<string, unknown>>
}

/** No tool reaches beyond the account and its carriers, and each may be repeated. */
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export function describe(
  tool: ToolText,
  { input, answer }: { input: z.ZodObject; answer: z.ZodType },
  refusalFor: Ready['refusalFor'],
  annotations: Record<string, boolean> = {},
): Omit<Ready, 'answer'> {
  const { name, title, description } = tool
  let listed: ListedTool | null = null
  const list = (): ListedTool => {
    listed ??= {
      ...{ name, title, description },
      inputSchema: toModelSchema(toJsonSchema(input)) as ListedTool['inputSchema'],
      outputSchema: toOutputSchema(answer, tool),
      annotations: { ...READS, ...annotations },
    }
    return listed
  }
  return { tool, list, isOfChange: false, refusalFor }
}

/** Each tool's endpoint has a scope. */
export function refusalOf({ access }: Endpoint, caller: Caller): Refusal | null {
  return scopeRefusal(caller, access as Parameters<typeof scopeRefusal>[1])
}
