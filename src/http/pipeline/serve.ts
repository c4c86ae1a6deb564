import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { noCheckpoint } from '../../operations/idempotency/checkpoint.ts'
import type { Authenticated, Authenticator } from '../admission/admission.ts'
import { admitAssistant, isByAssistant, withResourceMetadata } from '../admission/assistant-admission.ts'
import { costOfRequest } from '../admission/cost-of-request.ts'
import { admitDriver, pageInstead } from '../admission/driver-admission.ts'
import { admitPerson, isByCookie } from '../admission/person-admission.ts'
import { type MaybePromise, whenReady } from '../admission/when-ready.ts'
import { NO_AUDIT_SCOPE } from '../contract/audit-trail.ts'
import type { HttpDeps, ReplicaReads } from '../contract/deps.ts'
import {
  type AnyRequest,
  type Endpoint,
  type HttpResponse,
  type PageApp,
  takesKey,
} from '../contract/endpoint.ts'
import { withOctetStream } from '../contract/octet-stream.ts'
import { findRefusal, getStatus, notFound, problem } from '../contract/problem.ts'
import { send } from '../contract/send.ts'
import { answerErrorOnce, answerOnce, keepNothing, makeIdempotency } from '../idempotency/idempotency.ts'
import { concurrencyLimit, overloadedResponse } from '../load-shedding/concurrency-limit.ts'
import type { LoadShedder, OverloadedEndpoint } from '../load-shedding/load-shedder.ts'
import { underItsSpan } from '../observing/trace.ts'
import { sendPage, wantsPage } from '../pages/serve-pages.ts'
import { requestChecker } from './check-request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    entry: AnyRequest['entry']
    caller: AnyRequest['caller']
    driver: AnyRequest['driver']
    /** The pattern of the route, for logs and metrics: never the URL itself, which may name a customer. */
    endpoint: Endpoint | null
    /** `RateLimit` and `RateLimit-Policy`, names and values in turn; null if the request is not rate-limited. */
    allowance: readonly string[] | null
    /** Shed before any work was done; shed requests share one log entry. */
    wasShed: boolean
    /** Dangerous content of the JSON body; null if no JSON was read. */
    bodyIssues: readonly Issue[] | null
  }
}

/**
 * Serves an endpoint. In this order: load shedding, the endpoint's own check of the headers, admission (before the body
 * is read), the body, the idempotency key, validation, the operation.
 */
export function serve(
  app: FastifyInstance,
  deps: HttpDeps,
  authenticator: Authenticator,
  endpoint: Endpoint,
  { markOverloaded }: LoadShedder,
): void {
  const admit = makeAdmission(deps, endpoint, authenticator)
  const answer = withOctetStream(endpoint, underItsSpan(makeAnswer(deps, endpoint)))
  const limit = concurrencyLimit(endpoint.atOnce)
  const queue = endpoint.queue?.(deps)
  const isFull = (): boolean => limit.isFull() || queue?.isFull() === true
  const overloaded: OverloadedEndpoint = { endpoint, isFull, refusal: overloadedResponse() }
  const shed = (request: FastifyRequest, reply: FastifyReply): void => {
    request.wasShed = true
    markOverloaded(request, overloaded)
    send(request, reply, overloaded.refusal(request.id))
  }
  app.route({
    method: endpoint.method,
    url: endpoint.url,
    // A signed URL works with GET and HEAD alike.
    exposeHeadRoute: endpoint.method === 'GET',
    onRequest: (request, reply, done) => {
      // The framework would do this in the end. Errors go straight out because an account over its limit gets far
      // more rejections than results.
      const fail = (error: unknown): void => {
        if (error instanceof Refusal) send(request, reply, refusalOf(deps, request, endpoint, error))
        else done(error as Error)
      }
      try {
        request.endpoint = endpoint
        if (isFull()) {
          shed(request, reply)
          return
        }
        endpoint.refuseEarly?.(deps, request)
        if (isByCookie(request, endpoint) && findSignature(request) === null) {
          admitByCookie(deps, authenticator, endpoint, request, done)
          return
        }
        const admitted = admit(request)
        if (admitted instanceof Promise) admitted.then(() => done(), fail)
        else if (endpoint.access === 'driver') admitToJobs(deps, request, reply, done)
        else done()
      } catch (error) {
        fail(error)
      }
    },
    // A quote is ready synchronously: creating no promise saves a tenth of its CPU time.
    handler: (request, reply) => {
      const { heldBody } = request
      // `close` fires once. If the client hung up while a large body was parsed, it has already fired.
      if (reply.raw.destroyed) heldBody?.release()
      else if (heldBody) reply.raw.once('close', () => heldBody.release())
      // Other requests may have started while the body arrived.
      if (isFull()) return shed(request, reply)
      if (endpoint.page && wantsPage(request)) return pageFor(endpoint.page, answer, request, reply)
      const response = queue ? queue.begin(() => answer(request)) : answer(request)
      if (response instanceof Promise) {
        limit.while(response).then(
          (one) => send(request, reply, one),
          (error) => reply.send(error),
        )
      } else send(request, reply, response)
    },
  })
}

/**
 * Sends the page of a data URL: the status says at once whether the resource exists, and the page requests the data.
 */
function pageFor(
  page: PageApp,
  answer: (request: FastifyRequest) => HttpResponse | Promise<HttpResponse>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const answered = new Promise<HttpResponse>((settle) => settle(answer(request)))
  answered
    .then(
      ({ status }) => status,
      (error) => getStatus(findRefusal(error)),
    )
    .then((status) => sendPage(page, status, request, reply))
}

/** Admits a driver before the body is read, like every admission. A browser that opens a job's link gets the page. */
function admitToJobs(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const page = pageInstead(request)
  if (page) {
    send(request, reply, page)
    return
  }
  admitDriver(deps, request).then((driver) => {
    request.driver = driver
    done()
  }, done)
}

/**
 * Admits a logged-in person. The session is looked up in the database, so that a logout takes effect in all processes
 * at once.
 */
function admitByCookie(
  deps: HttpDeps,
  authenticator: Authenticator,
  endpoint: Endpoint,
  request: FastifyRequest,
  done: (error?: Error) => void,
): void {
  const admitted = admitPerson(deps, authenticator, request, endpoint).then((person) => {
    if (person) admitCaller(request, person)
    refuseOddParams(request.params as Record<string, string>)
    refuseEncodedBody(request)
  })
  admitted.then(() => done(), done)
}

/** Admits at once, or once the account is in memory. */
function makeAdmission(
  deps: HttpDeps,
  endpoint: Endpoint,
  authenticator: Authenticator,
): (request: FastifyRequest) => MaybePromise<void> {
  const { access } = endpoint
  const admit = (request: FastifyRequest, cost: number): MaybePromise<unknown> => {
    if (access === 'public' || access === 'driver') return authenticator.admitAnybody(request, cost)
    if (access === 'operator') return authenticator.admitOperator(request, cost)
    const { tenant_id: tenantId } = request.params as { tenant_id: string }
    const signed = access === 'document' ? findSignature(request) : null
    if (signed) {
      return whenReady(authenticator.admitSigned(request, tenantId, signed), (entry) => {
        request.entry = entry
      })
    }
    if (isByAssistant(request, endpoint)) {
      return admitAssistant(deps, authenticator, request, cost).then((one) => admitCaller(request, one))
    }
    const scope = access === 'document' ? 'deliveries:read' : access === 'client' ? null : access
    return whenReady(authenticator.admit(request, tenantId, scope, cost), (one) => admitCaller(request, one))
  }
  return (request) =>
    whenReady(admit(request, costOfRequest(request, endpoint)), () => {
      refuseOddParams(request.params as Record<string, string>)
      refuseEncodedBody(request)
    })
}

/** The response to a request that was not admitted. Clients of the MCP endpoint learn where they get a token. */
function refusalOf(
  deps: HttpDeps,
  request: FastifyRequest,
  { access }: Endpoint,
  refusal: Refusal,
): HttpResponse {
  const answer = problem(refusal, request.id)
  const challenge = answer.headers['www-authenticate']
  if (access !== 'client' || answer.status !== 401 || challenge === undefined) return answer
  const headers = { ...answer.headers, 'www-authenticate': withResourceMetadata(deps, request, challenge) }
  return { ...answer, headers }
}

function admitCaller(request: FastifyRequest, { entry, caller }: Authenticated): void {
  request.entry = entry
  request.caller = caller
}

function findSignature(request: FastifyRequest): { exp: string; sig: string } | null {
  const { exp, sig } = request.query as Record<string, unknown>
  return typeof exp === 'string' && typeof sig === 'string' ? { exp, sig } : null
}

/** A path parameter that is empty or has a control character cannot name anything. */
function refuseOddParams(params: Record<string, string>): void {
  for (const name in params) {
    const value = params[name] as string
    if (value === '') throw emptyName(name)
    if (/\p{Cc}/u.test(value)) throw notFound()
  }
}

/** For a URL with a trailing slash, or two in a row. */
function emptyName(name: string): Refusal {
  const message = `The address has no ${name}. Add the ${name}, or leave out the slash before it.`
  return new Refusal('not_found', message)
}

/** Without an encoded body the header means nothing: there is no body, or it is that of a GET, which is not read. */
function refuseEncodedBody({ method, headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  if (method === 'GET' || method === 'HEAD' || (length === '0' && coding === undefined)) return
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new Refusal('unsupported_media_type', 'Send the body as it is, without Content-Encoding.')
}

function makeAnswer(
  deps: HttpDeps,
  endpoint: Endpoint,
): (request: FastifyRequest) => HttpResponse | Promise<HttpResponse> {
  const check = requestChecker(deps, endpoint)
  const acceptsKey = takesKey(endpoint)
  const readReplica = endpoint.readsReplica ? deps.readReplica : null

  return (request) => {
    const { entry } = request
    const { idempotency, issues } = acceptsKey ? toKey(request) : NO_KEY
    const work = (keep = keepNothing, checkpoint = noCheckpoint) => {
      const query = check(request, issues)
      if (query instanceof Promise) return query
      const ask = {
        deps,
        entry,
        caller: request.caller,
        driver: request.driver,
        params: request.params as Record<string, string>,
        query,
        body: request.body,
        request,
        idempotency,
        audit: NO_AUDIT_SCOPE,
        keep,
        checkpoint,
      }
      return readReplica ? answerFromReplica(readReplica, endpoint, ask) : endpoint.handle(ask)
    }
    if (idempotency === null || endpoint.idempotency === 'none') return work()
    // The operation stores this key itself, encrypted.
    if (endpoint.idempotency === 'own' && endpoint.url.startsWith('/admin/')) return work()
    // An operator's request has no entry: a key belongs to the account that the path names.
    const { tenant_id: accountId } = request.params as { tenant_id: string }
    const once = (keyed: AnyRequest['entry']) => {
      if (keyed === null) return work()
      const scopedKey = { accountId: keyed.account.id, ...idempotency }
      if (endpoint.idempotency === 'own') return answerErrorOnce(deps, scopedKey, request.id, () => work())
      return answerOnce(deps, scopedKey, request.id, work)
    }
    const found = entry ?? deps.accounts.find(accountId)
    return found instanceof Promise ? found.then(once) : once(found)
  }
}

/** Answers an endpoint that reads a replica, with the time of what it has read if that is not the present. */
export async function answerFromReplica(
  replica: ReplicaReads,
  endpoint: Endpoint,
  ask: AnyRequest,
): Promise<HttpResponse> {
  const { value, asOfMs } = await replica.read(async (db) =>
    endpoint.handle({ ...ask, deps: { ...ask.deps, db } }),
  )
  if (asOfMs === null) return value
  return { ...value, headers: { ...value.headers, 'data-as-of': new Date(asOfMs).toISOString() } }
}

type Key = { idempotency: ReturnType<typeof makeIdempotency>; issues: readonly Issue[] }
const NO_KEY: Key = { idempotency: null, issues: [] }

/** Issues of the key are reported together with those of the rest. */
function toKey(request: FastifyRequest): Key {
  try {
    return { idempotency: makeIdempotency(request, request.body), issues: NO_KEY.issues }
  } catch (error) {
    if (error instanceof Refusal && error.issues.length > 0)
      return { idempotency: null, issues: error.issues }
    throw error
  }
}
