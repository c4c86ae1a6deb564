import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { Gauge } from 'prom-client'
import { Refusal } from '../../domain/errors.ts'
import { type Authenticator, makeAuthenticator } from '../admission/admission.ts'
import { chargeRefusal } from '../admission/cost-of-request.ts'
import { allEndpoints } from '../api/endpoints.ts'
import { PROOF_BODY } from '../contract/body-limit.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ERRORS, type ErrorCode, problemType } from '../contract/errors.ts'
import { INTAKE_LIMITS } from '../contract/intake-limits.ts'
import { findRefusal, notFound, problem } from '../contract/problem.ts'
import { getRequestId, newRequestId, send } from '../contract/send.ts'
import { registerBodyParsers } from '../input/body-parsers.ts'
import { parseQuery } from '../input/query.ts'
import { bodyDeadlineMs } from '../input/read-body.ts'
import { isReserved } from '../load-shedding/connection-limit.ts'
import { loadShedder } from '../load-shedding/load-shedder.ts'
import { accessLog } from '../observing/access-log.ts'
import { PAGE_ADDRESSES, servePages } from '../pages/serve-pages.ts'
import { audited } from '../pipeline/audit.ts'
import { serve } from '../pipeline/serve.ts'
import { stoppable } from './stop.ts'

/** How long a refused client has to read the answer. If we close sooner, unread input resets the
 * connection and the client loses the response. */
const LINGER_MS = 1_000

/** Answers a request that is not valid HTTP, or arrived too slowly, on the bare socket; then closes the connection. */
function refuseOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, reason, code, detail] = KNOWN[error.code ?? ''] ?? BAD_REQUEST
  const requestId = newRequestId()
  const body = JSON.stringify({
    type: problemType(code),
    title: ERRORS[code].title,
    status,
    detail,
    code,
    request_id: requestId,
  })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

type Known = readonly [status: number, reason: string, code: ErrorCode, detail: string]
const BAD_REQUEST: Known = [400, 'Bad Request', 'malformed_json', 'This is not an HTTP request.']
const KNOWN: Readonly<Record<string, Known>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'headers_too_large',
    'The address and the headers of the request exceed 16 KiB: send fewer headers or cookies.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'request_timeout',
    'The request did not arrive in time. Nothing was done. Send it again.',
  ],
}

/** Longer than any id or reference of ours; percent-encoded Unicode counts after decoding. */
const MAX_PARAM_LENGTH = 400

const HEAD_MS = 10_000

/**
 * Endpoints validate and serialise their bodies themselves: without these, Fastify loads two compilers that are never
 * used.
 */
const NO_COMPILERS = { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify }

/** The HTTP server with every endpoint of the product's API, not yet listening. */
export function buildServer(deps: HttpDeps): FastifyInstance {
  const limits = deps.limits ?? INTAKE_LIMITS
  const app = Fastify({
    logger: false,
    genReqId: (request) => getRequestId(request),
    // Rate limits and the audit log use the client's address: only our proxies may report it for another.
    trustProxy: deps.trustedProxies?.length ? [...deps.trustedProxies] : false,
    // The head must arrive within 10 s, and the whole request by the latest body deadline, which is that of a driver's
    // photo, checked every 5 s. `limitArrival` gives all other requests less.
    requestTimeout: HEAD_MS + bodyDeadlineMs(PROOF_BODY, limits.bodyMs, PROOF_BODY.bytes),
    http: {
      headersTimeout: HEAD_MS,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16 * 1024,
      // Node would reject the request without a body or a request id: see `refuseHosts`.
      requireHostHeader: false,
    },
    // Longer than the idle timeout of usual load balancers (60 s), so that they close first.
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: parseQuery },
    // A URL that cannot be decoded, or is too long, is an unknown path.
    frameworkErrors: (_error, request, reply) => {
      const answer = (error: unknown) => fail(deps, error, request, reply)
      refusalAt(request).then(answer, answer)
    },
    clientErrorHandler: refuseOnSocket,
    schemaController: { compilersFactory: NO_COMPILERS as object },
  })
  const authenticator = makeAuthenticator(deps)
  const endpoints = allEndpoints()
  const addresses = addressMap([...endpoints, ...PAGE_ADDRESSES])
  const refusalAt = refusalOfUnknownAddress(authenticator, addresses)

  app.decorateRequest('entry', null)
  app.decorateRequest('caller', null)
  app.decorateRequest('driver', null)
  app.decorateRequest('person', null)
  app.decorateRequest('endpoint', null)
  app.decorateRequest('allowance', null)
  app.decorateRequest('bodyIssues', null)
  app.decorateRequest('meter', null)
  app.decorateRequest('heldBody', null)
  app.decorateRequest('isLast', false)
  app.decorateRequest('wasShed', false)
  const shedder = loadShedder(app, deps, accessLog(app, deps))
  const bodies = registerBodyParsers(app, limits)
  new Gauge({
    name: 'drover_http_body_bytes',
    help: 'Bytes of request bodies in memory.',
    registers: [deps.registry],
    collect() {
      this.set(bodies.bytesHeld())
    },
  })
  app.setErrorHandler((error, request, reply) => fail(deps, error, request, reply))

  for (const endpoint of endpoints) serve(app, deps, authenticator, audited(endpoint), shedder)
  servePages(app, authenticator, deps)
  // Fastify runs no hooks for a request that is shed or has a malformed URL, so the timer starts here.
  const photoUploads = new WeakSet<IncomingMessage>()
  app.server.prependListener('request', (raw, response) =>
    limitArrival(raw, response, 2 * limits.bodyMs + AFTER_BODY_MS, photoUploads),
  )
  app.addHook('onRequest', (request, reply, done) => {
    if (request.endpoint?.bodyLimit?.minBytesPerMs) photoUploads.add(request.raw)
    refuseReserved(request)
    refuseHosts(request.raw)
    if (!request.is404) return done()
    const allow = request.method === 'OPTIONS' ? addresses.allowedAt(getPath(request)) : []
    if (allow.length === 0) {
      refusalAt(request).then(done, done)
      return
    }
    // Public, as the OpenAPI document is. It comes before the body is read, which OPTIONS has no use for.
    authenticator.admitAnybody(request)
    send(request, reply, { status: 204, headers: { allow: allow.join(', ') }, body: '' })
  })
  // We may ignore an unknown `Expect` header (Node would reject it without a body).
  app.server.on('checkExpectation', (...args) => app.server.emit('request', ...args))
  app.setNotFoundHandler(async (request) => {
    throw await refusalAt(request)
  })
  stoppable(app)
  return app
}

/** A body that is read has its own deadline, which comes first and is answered by the pipeline. */
const AFTER_BODY_MS = 1_000

/**
 * Slow senders hold nothing for long: the whole request must arrive within `ms`, even if no handler reads it. A driver's
 * photo (`photoUploads`) has its own deadline until the server responds.
 */
function limitArrival(
  raw: IncomingMessage,
  response: ServerResponse,
  ms: number,
  photoUploads: WeakSet<IncomingMessage>,
): void {
  const { socket, headers } = raw
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  const timer = setTimeout(() => {
    if (raw.complete || (photoUploads.has(raw) && !response.writableEnded)) return
    refuseOnSocket(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }, ms)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
}

/** Served even on connections beyond the limits. */
const HEALTH = '/health/'

function refuseReserved(request: FastifyRequest): void {
  if (!isReserved(request.raw.socket)) return
  request.isLast = true
  if (request.url.startsWith(HEALTH)) return
  throw new Refusal('service_unavailable', 'There are too many connections. Nothing was done. Try again.')
}

/** RFC 9112 section 3.2: an HTTP/1.1 request has one Host header, and no request has two. */
function refuseHosts({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new Refusal('malformed_json', 'The request has no Host header, which HTTP/1.1 requires.')
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw new Refusal('malformed_json', 'The request has more than one Host header.')
}

function fail(deps: HttpDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = findRefusal(error)
  if (!refusal)
    deps.log.error({ err: error, request_id: request.id, route: request.endpoint?.url }, 'request failed')
  else if (refusal.code === 'service_unavailable') {
    deps.log.warn({ err: error, request_id: request.id }, 'unavailable')
  }
  if (refusal) chargeRefusal(request, refusal)
  send(request, reply, problem(refusal, request.id))
}

/**
 * The error for a request that matches no endpoint: 405 if the URL supports another method, otherwise 404. Both only
 * after the client is admitted.
 */
function refusalOfUnknownAddress(
  authenticator: Authenticator,
  { allowedAt, isOutsideAccounts }: AddressMap,
): (request: FastifyRequest) => Promise<Refusal> {
  return async (request) => {
    const path = getPath(request)
    const segments = path.split('/')
    const first = decoded(segments[1] ?? '')
    try {
      if (first === 'admin') authenticator.admitOperator(request)
      else if (segments.length < 3 || isOutsideAccounts(first)) authenticator.admitAnybody(request)
      else await authenticator.admit(request, first, null)
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
    const allow = allowedAt(path)
    // If the method is served but was not routed, a parameter cannot be decoded or is too long to exist.
    if (allow.length === 0 || allow.includes(request.method)) return notFound()
    return new Refusal('method_not_allowed', `${request.method} is not served here.`, {
      details: { allow: allow.join(', ') },
    })
  }
}

function getPath(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] as string
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The served URLs, for requests that match no endpoint. */
type AddressMap = {
  /** The methods that the path supports; empty if the path is unknown. */
  allowedAt(path: string): string[]
  /** Whether a first path segment can never be an account. */
  isOutsideAccounts(segment: string): boolean
}

function addressMap(endpoints: readonly Pick<Endpoint, 'method' | 'url'>[]): AddressMap {
  const patterns = endpoints.map(({ method, url }) => ({ method, pattern: toPattern(url) }))
  const firsts = new Set(
    endpoints.map(({ url }) => url.split('/')[1] as string).filter((first) => !first.startsWith(':')),
  )
  return {
    allowedAt(path) {
      const methods = new Set<string>(
        patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
      )
      if (methods.has('GET')) methods.add('HEAD')
      if (methods.size > 0) methods.add('OPTIONS')
      return [...methods].sort()
    },
    isOutsideAccounts: (segment) => firsts.has(segment),
  }
}

function toPattern(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step === '*') return '.*'
    return step.startsWith(':') ? '[^/]+' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${steps.join('/')}$`)
}
