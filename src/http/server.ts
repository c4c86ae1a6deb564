import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import { addressMap } from './address-map.ts'
import { type Gate, gateOf } from './admission.ts'
import { audited } from './audit.ts'
import { acceptBodies } from './bodies.ts'
import { refuseOnSocket } from './client-errors.ts'
import type { HttpDeps } from './deps.ts'
import type { Endpoint } from './endpoint.ts'
import { PAGE_ADDRESSES, servePages } from './pages/serve-pages.ts'
import { problem, refusalOf } from './problem.ts'
import { record } from './record.ts'
import { requestIdOf } from './request-id.ts'
import { allEndpoints } from './routes/endpoints.ts'
import { send } from './send.ts'
import { serve } from './serve.ts'
import { stoppable } from './stop.ts'

export const BODY_LIMIT = 1024 * 1024
/** Longer than any id or reference of ours; percent-encoded Unicode counts after decoding. */
const MAX_PARAM_LENGTH = 400

/** Endpoints check and write their bodies themselves: without these, Fastify reads two compilers that nobody uses. */
const NO_COMPILERS = { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify }

/** The door: every endpoint of the product's API on one server, not yet listening. */
export function buildServer(deps: HttpDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request),
    bodyLimit: BODY_LIMIT,
    // Limits and the audit log go by the caller's address: only proxies of ours may say it for another.
    trustProxy: deps.trustedProxies?.length ? [...deps.trustedProxies] : false,
    // A whole request within 15 s, its head within 10 s, asked every 5 s: slow senders hold nothing for long.
    requestTimeout: 15_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, maxHeaderSize: 16 * 1024 },
    // Longer than the idle time of usual load balancers (60 s), so that they close first.
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply) => {
      fail(deps, error, request, reply)
    },
    clientErrorHandler: refuseOnSocket(deps.publicUrl),
    schemaController: { compilersFactory: NO_COMPILERS as object },
  })
  const gate = gateOf(deps)

  app.decorateRequest('entry', null)
  app.decorateRequest('caller', null)
  app.decorateRequest('driver', null)
  app.decorateRequest('person', null)
  app.decorateRequest('endpoint', null)
  app.decorateRequest('allowance', null)
  app.decorateRequest('bodyIssues', null)
  app.decorateRequest('turnedAway', false)
  record(app, deps)
  acceptBodies(app)
  app.setErrorHandler((error, request, reply) => fail(deps, error, request, reply))

  const endpoints = allEndpoints()
  for (const endpoint of endpoints) serve(app, deps, gate, audited(endpoint))
  servePages(app, gate, deps)
  refuseTheRest(app, gate, endpoints)
  stoppable(app)
  return app
}

function fail(deps: HttpDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error)
  if (!refusal)
    deps.log.error({ err: error, request_id: request.id, route: request.endpoint?.url }, 'request failed')
  else if (refusal.code === 'service_unavailable') {
    deps.log.warn({ err: error, request_id: request.id }, 'unavailable')
  }
  send(request, reply, problem(refusal, request.id, deps.publicUrl))
}

/** Known addresses with another method answer 405; all else 404. Either only to those who may know. */
function refuseTheRest(app: FastifyInstance, gate: Gate, endpoints: readonly Endpoint[]): void {
  const { allowedAt, isOutsideAccounts } = addressMap([...endpoints, ...PAGE_ADDRESSES])
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    try {
      const path = request.url.split('?', 1)[0] as string
      const segments = path.split('/')
      const first = decoded(segments[1] ?? '')
      if (first === 'admin') gate.admitOperator(request)
      else if (segments.length < 3 || isOutsideAccounts(first)) gate.admitAnybody(request)
      else request.entry = gate.admit(request, first, null).entry

      const allow = allowedAt(path)
      if (allow.length === 0) throw new Refusal('not_found', 'There is nothing here for this token.')
      throw new Refusal('method_not_allowed', `${request.method} is not served here.`, {
        details: { allow: allow.join(', ') },
      })
    } catch (error) {
      done(error as Error)
    }
  })
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found', 'There is nothing here for this token.')
  })
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
