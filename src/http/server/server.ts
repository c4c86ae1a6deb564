import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import { Refusal } from '../../domain/errors.ts'
import { authenticatorOf } from '../admission/admission.ts'
import { chargeMistakes } from '../admission/cost-of-request.ts'
import { allEndpoints } from '../api/endpoints.ts'
import type { HttpDeps } from '../contract/deps.ts'
import { INTAKE_LIMITS } from '../contract/intake-limits.ts'
import { problem, refusalOf } from '../contract/problem.ts'
import { requestIdOf } from '../contract/request-id.ts'
import { send } from '../contract/send.ts'
import { registerBodyParsers } from '../input/body-parsers.ts'
import { parseQuery } from '../input/query.ts'
import { isReserved } from '../load-shedding/connection-limit.ts'
import { loadShedder } from '../load-shedding/load-shedder.ts'
import { accessLog } from '../observing/access-log.ts'
import { PAGE_ADDRESSES, servePages } from '../pages/serve-pages.ts'
import { audited } from '../pipeline/audit.ts'
import { serve } from '../pipeline/serve.ts'
import { refuseOnSocket } from './client-errors.ts'
import { refusalOfUnknownAddress } from './not-found.ts'
import { stoppable } from './stop.ts'

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
    genReqId: (request) => requestIdOf(request),
    // Rate limits and the audit log use the client's address: only our proxies may report it for another.
    trustProxy: deps.trustedProxies?.length ? [...deps.trustedProxies] : false,
    // The head must arrive within 10 s, and the whole request by the latest body deadline, checked every 5 s: slow
    // senders hold nothing for long.
    requestTimeout: HEAD_MS + 2 * limits.bodyMs,
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
    // A URL that cannot be decoded, or is longer than any of ours, is unknown.
    frameworkErrors: (_error, request, reply) => {
      fail(deps, refusalAt(request), request, reply)
    },
    clientErrorHandler: refuseOnSocket,
    schemaController: { compilersFactory: NO_COMPILERS as object },
  })
  const gate = authenticatorOf(deps)
  const endpoints = allEndpoints()
  const refusalAt = refusalOfUnknownAddress(gate, [...endpoints, ...PAGE_ADDRESSES])

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
  app.decorateRequest('turnedAway', false)
  const door = loadShedder(app, deps, accessLog(app, deps))
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

  for (const endpoint of endpoints) serve(app, deps, gate, audited(endpoint), door)
  servePages(app, gate, deps)
  app.addHook('onRequest', (request, _reply, done) => {
    keepForHealth(request)
    refuseHosts(request.raw)
    done(request.is404 ? refusalAt(request) : undefined)
  })
  // We may ignore an unknown `Expect` header (Node would reject it without a body).
  app.server.on('checkExpectation', (...asked) => app.server.emit('request', ...asked))
  app.setNotFoundHandler((request) => {
    throw refusalAt(request)
  })
  stoppable(app)
  return app
}

/** Served even on connections beyond the limits. */
const HEALTH = '/health/'

function keepForHealth(request: FastifyRequest): void {
  if (!isReserved(request.raw.socket)) return
  request.isLast = true
  if (request.url.startsWith(HEALTH)) return
  throw new Refusal('service_unavailable', 'There are too many connections. Nothing was done. Try again.')
}

/** RFC 9112 section 3.2: an HTTP/1.1 request has one Host header, and no request has two. */
function refuseHosts({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined)
    throw new Refusal('malformed_json', 'The request has no Host header, which HTTP/1.1 asks for.')
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw new Refusal('malformed_json', 'The request has more than one Host header.')
}

function fail(deps: HttpDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error)
  if (!refusal)
    deps.log.error({ err: error, request_id: request.id, route: request.endpoint?.url }, 'request failed')
  else if (refusal.code === 'service_unavailable') {
    deps.log.warn({ err: error, request_id: request.id }, 'unavailable')
  }
  if (refusal) chargeMistakes(request, refusal.issues.length)
  send(request, reply, problem(refusal, request.id))
}
