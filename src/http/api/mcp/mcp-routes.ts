import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../../../domain/errors.ts'
import { GOODS_BODY } from '../../contract/body-limit.ts'
import type { HttpDeps } from '../../contract/deps.ts'
import {
  type Endpoint,
  type HttpResponse,
  type TenantRequest,
  tenantEndpoint,
} from '../../contract/endpoint.ts'
import type { Message } from './answer-mcp.ts'

const McpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    method: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ examples: ['tools/list'] }),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A message of JSON-RPC 2.0, as the Model Context Protocol has it.' })

const McpAnswer = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    result: z.looseObject({}).optional(),
    error: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpAnswer' })

type Answer = (ask: TenantRequest<Message, McpQuery>) => Promise<HttpResponse>

const McpQuery = z.strictObject({
  tools: z.enum(['read', 'write']).optional().meta({
    description:
      '`write`: the tools that change something are there too, as far as the token has their scope. Absent: they only read.',
  }),
})
export type McpQuery = z.infer<typeof McpQuery>

/** The Model Context Protocol over the API. The SDK and the tools are loaded by the first request. */
export function mcpEndpoints(endpoints: () => readonly Endpoint[]): Endpoint[] {
  let answerer: Promise<Answer> | null = null
  return [
    tenantEndpoint({
      method: 'POST',
      url: '/:tenant_id/mcp',
      operationId: 'callMcp',
      access: 'client',
      tag: 'Service',
      summary: 'Send a message of the Model Context Protocol',
      description:
        'For assistants: an MCP client sends its messages here (Streamable HTTP, stateless, protocol 2026-07-28 and 2025-11-25). The tools only read, unless the address ends with `?tools=write`. A tool is listed if the token has its scope. [Guide](/docs/guides/mcp).',
      query: McpQuery,
      body: McpMessage,
      bodyLimit: GOODS_BODY,
      example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      idempotency: 'none',
      unaudited: 'Each tool call writes its own row.',
      answers: {
        200: { description: 'The answer of JSON-RPC, a result or an error.', schema: McpAnswer },
        202: { description: 'A notification was received.' },
        400: {
          description: 'An error of JSON-RPC: the message does not follow the protocol.',
          schema: McpAnswer,
        },
        404: { description: 'An error of JSON-RPC: there is no such method.', schema: McpAnswer },
      },
      refusals: ['cross_site_request'],
      refuseEarly: refuseRebinding,
      async handle(ask) {
        answerer ??= import('./answer-mcp.ts').then(({ mcpAnswerer }) => mcpAnswerer(endpoints()))
        return (await answerer)(ask as TenantRequest<Message, McpQuery>)
      },
    }),
  ]
}

/**
 * DNS rebinding protection, which the protocol asks of servers: a page that makes its own name resolve to us would send
 * that name as `Host` and itself as `Origin`. Programs send no `Origin`.
 */
function refuseRebinding({ publicUrl }: HttpDeps, { headers }: FastifyRequest): void {
  const ours = new URL(publicUrl)
  if (headers.origin !== undefined && headers.origin !== ours.origin) {
    throw new Refusal(
      'cross_site_request',
      `A page of another site sent this. MCP clients send no Origin, or ${ours.origin}.`,
    )
  }
  const host = toHostname(headers.host ?? '')
  if (host === ours.hostname || isUnclaimable(host)) return
  throw new Refusal('cross_site_request', `The Host of the request is not Drover’s. Use ${ours.origin}.`)
}

function toHostname(host: string): string {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** Nobody can register an IP address, or a name without a full stop (`localhost`, a name inside a cluster). */
function isUnclaimable(host: string): boolean {
  return host !== '' && (!host.includes('.') || isIP(host.replace(/^\[|\]$/g, '')) !== 0)
}
