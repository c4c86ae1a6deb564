import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, JSON_TYPE } from './endpoint.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/**
 * Sends an answer as it is, past Fastify's own reply. Answers of one turn of the event loop leave together: the first
 * wakes a caller who waits, the rest find him awake, and waking was a fifth of a quote's CPU time.
 */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  reply.hijack()
  if (leaving.push({ request, reply, answer }) === 1) setImmediate(leave)
}

type Leaving = { request: FastifyRequest; reply: FastifyReply; answer: Answer }
let leaving: Leaving[] = []

function leave(): void {
  const all = leaving
  leaving = []
  for (const { request, reply, answer } of all) {
    try {
      write(request, reply, answer)
    } catch (error) {
      // A header that Node refuses: ours to mend, and nobody else's answer suffers.
      process.emitWarning(error as Error)
      reply.raw.destroy()
    }
  }
}

function write(request: FastifyRequest, { raw, server }: FastifyReply, answer: Answer): void {
  const { status, body } = answer
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const headers = commonHeaders(request, answer)
  headers.push('x-request-id', request.id)
  // Not there on a request whose address could not even be read.
  if (request.traceparent) headers.push('traceparent', request.traceparent)
  if (request.allowance) headers.push(...request.allowance)
  if (server.stopping) headers.push('connection', 'close')
  if (status !== 204) headers.push('content-length', String(bytes))
  raw.writeHead(status, headers)
  // Node writes a head and a Latin-1 text in one piece, and faster than UTF-8.
  raw.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** Names and values in turn, as `writeHead` takes them. */
function commonHeaders({ endpoint }: FastifyRequest, { headers }: Answer): string[] {
  if (headers === JSON_TYPE && !endpoint?.headers) return [...OF_JSON]
  return inTurn({ ...SECURITY_HEADERS, ...endpoint?.headers, ...headers })
}

function inTurn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat()
}

const OF_JSON: readonly string[] = inTurn({ ...SECURITY_HEADERS, ...JSON_TYPE })
