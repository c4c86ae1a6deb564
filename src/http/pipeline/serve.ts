import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { noCheckpoint } from '../../operations/context/checkpoint.ts'
import type { Authenticated, Authenticator } from '../admission/admission.ts'
import { costOfRequest } from '../admission/cost-of-request.ts'
import { admitDriver, pageInstead } from '../admission/driver-admission.ts'
import { admitPerson, isByCookie } from '../admission/person-admission.ts'
import { NO_AUDIT_SCOPE } from '../contract/audit-trail.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { AnyRequest, Endpoint, HttpResponse, PageApp } from '../contract/endpoint.ts'
import { notFound, problem, refusalOf, statusOf } from '../contract/problem.ts'
import { send } from '../contract/send.ts'
import { answerOnce, idempotencyOf, keepNothing } from '../idempotency/idempotency.ts'
import { answerErrorOnce } from '../idempotency/idempotent-errors.ts'
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
    /** The pattern it was served by, for logs and metrics: never the address itself, which may name a customer. */
    endpoint: Endpoint | null
    /** `RateLimit` and `RateLimit-Policy`, names and values in turn; null where nothing is counted. */
    allowance: readonly string[] | null
    /** Refused before anything was done, among many: its line of the log is theirs together. */
    turnedAway: boolean
    /** What the body's JSON holds that no field may; null where nothing was read. */
    bodyIssues: readonly Issue[] | null
  }
}

/**
 * Makes an endpoint answer: whether there is room, then admission before the body is read, then the body, the key, the
 * mistakes, the work.
 */
export function serve(
  app: FastifyInstance,
  deps: HttpDeps,
  gate: Authenticator,
  endpoint: Endpoint,
  { markOverloaded }: LoadShedder,
): void {
  const admit = admissionOf(endpoint, gate)
  const answer = underItsSpan(answererOf(deps, endpoint))
  const crowd = concurrencyLimit(endpoint.atOnce)
  const line = endpoint.line?.(deps)
  const isFull = (): boolean => crowd.isFull() || line?.isFull() === true
  const full: OverloadedEndpoint = { endpoint, isFull, refusal: overloadedResponse() }
  const turnAway = (request: FastifyRequest, reply: FastifyReply): void => {
    request.turnedAway = true
    markOverloaded(request, full)
    send(request, reply, full.refusal(request.id))
  }
  app.route({
    method: endpoint.method,
    url: endpoint.url,
    // A signed address is opened by GET and HEAD alike.
    exposeHeadRoute: endpoint.method === 'GET',
    onRequest: (request, reply, done) => {
      try {
        request.endpoint = endpoint
        if (isFull()) {
          turnAway(request, reply)
          return
        }
        if (isByCookie(request, endpoint) && signatureOf(request) === null) {
          admitByCookie(deps, gate, endpoint, request, done)
          return
        }
        admit(request)
        if (endpoint.access === 'driver') admitToJobs(deps, request, reply, done)
        else done()
      } catch (error) {
        // As the framework would in the end: an account over its limit is refused more often than anything is done.
        if (error instanceof Refusal) send(request, reply, problem(error, request.id))
        else done(error as Error)
      }
    },
    // A quote is ready at once: no promise is made where none is needed, a tenth of its CPU time.
    handler: (request, reply) => {
      const { heldBody } = request
      if (heldBody) reply.raw.once('close', () => heldBody.release())
      // Others may have come in while its body did.
      if (isFull()) return turnAway(request, reply)
      if (endpoint.page && wantsPage(request)) return pageFor(endpoint.page, answer, request, reply)
      const made = line ? line.begin(() => answer(request)) : answer(request)
      if (made instanceof Promise) {
        crowd.while(made).then(
          (one) => send(request, reply, one),
          (error) => reply.send(error),
        )
      } else send(request, reply, made)
    },
  })
}

/** The page of an address of data: the browser is told at once whether there is anything, the page asks what. */
function pageFor(
  page: PageApp,
  answer: (request: FastifyRequest) => HttpResponse | Promise<HttpResponse>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const asked = new Promise<HttpResponse>((settle) => settle(answer(request)))
  asked
    .then(
      ({ status }) => status,
      (error) => statusOf(refusalOf(error)),
    )
    .then((status) => sendPage(page, status, request, reply))
}

/** Before the body is read, as every admission; a page for whoever opens a job's link with a browser. */
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

/** Whoever is logged in: the session is asked for in the database, so that it ends everywhere at once. */
function admitByCookie(
  deps: HttpDeps,
  gate: Authenticator,
  endpoint: Endpoint,
  request: FastifyRequest,
  done: (error?: Error) => void,
): void {
  const admitted = admitPerson(deps, gate, request, endpoint).then((person) => {
    if (person) admitCaller(request, person)
    refuseOddParams(request.params as Record<string, string>)
    refuseEncodedBody(request)
  })
  admitted.then(() => done(), done)
}

function admissionOf(endpoint: Endpoint, gate: Authenticator): (request: FastifyRequest) => void {
  const { access } = endpoint
  return (request) => {
    const params = request.params as Record<string, string>
    const cost = costOfRequest(request, endpoint)
    if (access === 'public' || access === 'driver') gate.admitAnybody(request, cost)
    else if (access === 'operator') gate.admitOperator(request, cost)
    else {
      const signed = access === 'document' ? signatureOf(request) : null
      const tenantId = params.tenant_id as string
      if (signed) request.entry = gate.admitSigned(request, tenantId, signed)
      else
        admitCaller(
          request,
          gate.admit(request, tenantId, access === 'document' ? 'deliveries:read' : access, cost),
        )
    }
    refuseOddParams(params)
    refuseEncodedBody(request)
  }
}

function admitCaller(request: FastifyRequest, { entry, caller }: Authenticated): void {
  request.entry = entry
  request.caller = caller
}

function signatureOf(request: FastifyRequest): { exp: string; sig: string } | null {
  const { exp, sig } = request.query as Record<string, unknown>
  return typeof exp === 'string' && typeof sig === 'string' ? { exp, sig } : null
}

/** A control character in a path names nothing that could exist, nor does nothing at all. */
function refuseOddParams(params: Record<string, string>): void {
  for (const name in params) {
    const value = params[name] as string
    if (value === '') throw emptyName(name)
    if (/\p{Cc}/u.test(value)) throw notFound()
  }
}

/** As an address ends in a slash, or has two in a row, that should not. */
function emptyName(name: string): Refusal {
  const message = `The address has no ${name}. Add the ${name}, or leave out the slash before it.`
  return new Refusal('not_found', message)
}

/** Where nothing is encoded the header says nothing: no body came, or that of a GET, which nobody reads. */
function refuseEncodedBody({ method, headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  if (method === 'GET' || method === 'HEAD' || (length === '0' && coding === undefined)) return
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new Refusal('unsupported_media_type', 'Send the body as it is, without Content-Encoding.')
}

function answererOf(
  deps: HttpDeps,
  endpoint: Endpoint,
): (request: FastifyRequest) => HttpResponse | Promise<HttpResponse> {
  const check = requestChecker(deps, endpoint)
  const keyed = endpoint.url.startsWith('/:tenant_id/') && ['POST', 'PATCH'].includes(endpoint.method)
  const keyable = keyed && endpoint.bodyForm !== 'form'

  return (request) => {
    const { entry } = request
    const { idempotency, issues } = keyable ? keyOf(request) : NO_KEY
    const work = (keep = keepNothing, begun = noCheckpoint) => {
      const query = check(request, issues)
      return endpoint.handle({
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
        begun,
      })
    }
    if (idempotency === null || endpoint.idempotency === 'none' || entry === null) return work()
    const keyed = { accountId: entry.account.id, ...idempotency }
    if (endpoint.idempotency === 'own') return answerErrorOnce(deps, keyed, request.id, () => work())
    return answerOnce(deps, keyed, request.id, work)
  }
}

type Key = { idempotency: ReturnType<typeof idempotencyOf>; issues: readonly Issue[] }
const NO_KEY: Key = { idempotency: null, issues: [] }

/** What is wrong with a key is told together with what is wrong with the rest. */
function keyOf(request: FastifyRequest): Key {
  try {
    return { idempotency: idempotencyOf(request, request.body), issues: NO_KEY.issues }
  } catch (error) {
    if (error instanceof Refusal && error.issues.length > 0)
      return { idempotency: null, issues: error.issues }
    throw error
  }
}
