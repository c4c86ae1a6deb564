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

/** Every client can read it back: JavaScript’s numbers are exact up to 2^53. */
const MAX_ID = 9_000_000_000_000_000

/** As strict as the SDK behind it, which answers anything else with 400: the API reference then says what is accepted. */
const McpMessage = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: z
      .union([z.int().min(-MAX_ID).max(MAX_ID), z.string().max(200)])
      .optional()
      .meta({ description: 'Absent: a notification, which gets no response.' }),
    method: z
      .string()
      .min(1)
      .max(200)
      .meta({ examples: ['tools/list'] }),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A JSON-RPC 2.0 message of the Model Context Protocol.' })

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
      '`write`: also offers the tools that change something, if the token has their scope. Absent: only the tools that read.',
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
        'For assistants: an MCP client sends its messages here (Streamable HTTP, stateless, protocol versions 2026-07-28 and 2025-11-25). The tools can only read, unless the address ends with `?tools=write`. A tool is listed if the token has its scope. An assistant that a person has connected sends its own access token. A 401 has the URL of the resource metadata (RFC 9728) in `WWW-Authenticate`. [Guide](/docs/guides/mcp).',
      query: McpQuery,
      body: McpMessage,
      bodyLimit: GOODS_BODY,
      example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      idempotency: 'none',
      unaudited: 'Each tool call writes its own row.',
      answers: {
        200: { description: 'A JSON-RPC response: a result or an error.', schema: McpAnswer },
        202: { description: 'Drover received a notification.' },
        400: {
          description: 'A JSON-RPC error: the message does not follow the protocol.',
          schema: McpAnswer,
        },
        404: { description: 'A JSON-RPC error: there is no such method.', schema: McpAnswer },
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
 * DNS rebinding protection, which the protocol requires of servers: a page that makes its own name resolve to us would
 * send that name as `Host` and its own site as `Origin`. Programs send no `Origin`.
 */
function refuseRebinding({ publicUrl }: HttpDeps, { headers }: FastifyRequest): void {
  const ours = new URL(publicUrl)
  if (headers.origin !== undefined && headers.origin !== ours.origin) {
    throw new Refusal(
      'cross_site_request',
      `A page on another site sent this request. Send no Origin header, or ${ours.origin}.`,
    )
  }
  const host = toHostname(headers.host ?? '')
  if (host === ours.hostname || isUnclaimable(host)) return
  throw new Refusal(
    'cross_site_request',
    `The Host header does not name this server. Send the request to ${ours.origin}.`,
  )
}

function toHostname(host: string): string {
  const url = `http://${host}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** Nobody can register an IP address, or a name without a full stop (`localhost`, a name inside a cluster). */
function isUnclaimable(host: string): boolean {
  return host !== '' && (!host.includes('.') || isIP(host.replace(/^\[|\]$/g, '')) !== 0)
}
