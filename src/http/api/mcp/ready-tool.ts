import type { z } from 'zod'
import type { Refusal } from '../../../domain/errors.ts'
import type { Caller } from '../../../operations/directory/caller.ts'
import { scopeRefusal } from '../../admission/admission.ts'
import type { Endpoint, TenantRequest } from '../../contract/endpoint.ts'
import { toJsonSchema } from '../../input/validate.ts'
import { toModelSchema } from './model-schema.ts'
import type { Arguments } from './read-endpoint.ts'
import type { ToolText } from './tools.ts'

/** A tool as `tools/list` shows it. */
export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  annotations: Record<string, boolean>
}

/** A tool that can be called. */
export type Ready = {
  tool: ToolText
  listed: ListedTool
  /** One step of a change: not offered unless the client opts in. */
  isOfChange: boolean
  refusalFor(caller: Caller): Refusal | null
  answer(ask: TenantRequest, args: Arguments): Promise<Record<string, unknown>>
}

/** No tool reaches beyond the account and its carriers, and each may be repeated. */
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export function describe(
  tool: ToolText,
  input: z.ZodObject,
  refusalFor: Ready['refusalFor'],
  annotations: Record<string, boolean> = {},
): Omit<Ready, 'answer'> {
  const { name, title, description } = tool
  const inputSchema = toModelSchema(toJsonSchema(input)) as ListedTool['inputSchema']
  const listed = { name, title, description, inputSchema, annotations: { ...READS, ...annotations } }
  return { tool, listed, isOfChange: false, refusalFor }
}

/** Each tool's endpoint has a scope. */
export function refusalOf({ access }: Endpoint, caller: Caller): Refusal | null {
  return scopeRefusal(caller, access as Parameters<typeof scopeRefusal>[1])
}
