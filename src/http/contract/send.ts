import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, type HttpResponse, JSON_TYPE } from './endpoint.ts'

/** Headers of every response. Pages that display content relax the policy for themselves. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Sends a response as it is, bypassing Fastify's reply, together with all others of this tick. */
export function send(request: FastifyRequest, reply: FastifyReply, answer: HttpResponse): void {
  reply.hijack()
  atEndOfTurn(reply.raw, () => {
    const own = ['x-request-id', request.id]
    // Missing on a request whose URL could not be parsed.
    if (request.traceparent) own.push('traceparent', request.traceparent)
    if (request.allowance) own.push(...request.allowance)
    if (reply.server.stopping || request.isLast) own.push('connection', 'close')
    writeAnswer(reply.raw, answer, own, request.endpoint?.headers)
  })
}

type Leaving = { response: ServerResponse; write: () => void }
let leaving: Leaving[] = []

/**
 * Batches writes: responses of one tick of the event loop leave together. The first wakes a waiting client and the
 * others find it awake; waking was a fifth of a quote's CPU time.
 */
export function atEndOfTurn(response: ServerResponse, write: () => void): void {
  if (leaving.push({ response, write }) === 1) setImmediate(leave)
}

function leave(): void {
  const all = leaving
  leaving = []
  for (const { response, write } of all) {
    try {
      write()
    } catch (error) {
      // A header that Node rejects is our bug; other responses must not suffer.
      process.emitWarning(error as Error)
      response.destroy()
    }
  }
}

/** Writes the response with the headers of every response; `own` has its own headers, names and values in turn. */
export function writeAnswer(
  response: ServerResponse,
  { status, headers, cookies, body }: HttpResponse,
  own: readonly string[],
  ofEndpoint?: Endpoint['headers'],
): void {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const all = commonHeaders(headers, ofEndpoint)
  all.push(...own)
  for (const cookie of cookies ?? []) all.push('set-cookie', cookie)
  if (status !== 204) all.push('content-length', String(bytes))
  response.writeHead(status, all)
  // Node writes a head and a Latin-1 text in one chunk, and faster than UTF-8.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** Names and values in turn, as `writeHead` takes them. */
function commonHeaders(headers: HttpResponse['headers'], ofEndpoint: Endpoint['headers']): string[] {
  if (headers === JSON_TYPE && !ofEndpoint) return [...OF_JSON]
  return inTurn({ ...SECURITY_HEADERS, ...ofEndpoint, ...headers })
}

function inTurn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat()
}

const OF_JSON: readonly string[] = inTurn({ ...SECURITY_HEADERS, ...JSON_TYPE })

/** The client's `X-Request-Id` if it is safe to log and echo, otherwise a generated one. */
export function getRequestId(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return typeof header === 'string' && FIT.test(header) ? header : newRequestId()
}

/** Generates an id. */
export function newRequestId(): string {
  return `${PREFIX}${(++count).toString(36)}`
}

const FIT = /^[A-Za-z0-9._-]{1,128}$/
/** Random per process, so that ids of two processes or two starts never collide. */
const PREFIX = `req_${randomBytes(9).toString('base64url').replaceAll('_', '-')}.`
let count = 0
