import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { RequestKind } from '../../domain/delivery/cross-field.ts'
import type { Issue, RefusalCode } from '../../domain/errors.ts'
import type { PacedQueue } from '../../operations/concurrency/paced-queue.ts'
import type { AccountEntry } from '../../operations/context/account-directory.ts'
import type { Caller, Scope } from '../../operations/context/caller.ts'
import type { Checkpoint } from '../../operations/context/checkpoint.ts'
import type { Driver } from '../../operations/own-couriers/driver-session.ts'
import type { completeKey } from '../../store/deliveries/idempotency.ts'
import type { AuditScope } from './audit-trail.ts'
import type { BodyLimit } from './body-limit.ts'
import type { HttpDeps } from './deps.ts'

/** An app of pages. */
export type PageApp = 'portal' | 'driver' | 'track' | 'book'

/** What goes out. Text is sent as it is: handlers serialise, so that a stored answer is the same bytes. */
export type HttpResponse = {
  status: number
  headers?: Readonly<Record<string, string>>
  /** Set beside the one in `headers`. */
  cookies?: readonly string[]
  body: string | Buffer
}

/**
 * Who may ask: anybody, the operator, a token with a scope, or (`document`) a token that reads deliveries
 * or a signed address, or (`driver`) a courier's own session.
 */
export type Access = 'public' | 'operator' | 'document' | 'driver' | Scope

/** One endpoint: what serves it, what checks it, what documents it. */
export type Endpoint = {
  method: Method
  /** Fastify's pattern; parameters are named as in the documentation. */
  url: string
  operationId: string
  access: Access
  tag: Tag
  summary: string
  description?: string
  query?: z.ZodObject
  /** What can be told, without the database, of a query in a request that is refused; any shape may come. */
  moreOfQuery?(refused: RefusedQuery): Issue[]
  body?: z.ZodType
  /** Rules between the body's fields, told together with the schema's. */
  crossFields?: RequestKind
  /** The same of a body. */
  moreIssues?(refused: RefusedBody): Issue[]
  /** A body whose endpoint answers mistakes in a form of its own. */
  documentedBody?: z.ZodType
  /** A body that works, for the documentation; `$NAMES` in it are those of `examples/variables.ts`. */
  example?: unknown
  /** What else its example says. */
  exampleCall?: ExampleCall
  /** For how many requests one of these counts against the rate limit; 1 unless said. */
  cost?: number
  /** How many of them a process works on at once where it is not the usual number; see `crowd.ts`. */
  atOnce?: number
  /** Whose requests wait for one thing of ours: in this line. */
  line?(deps: HttpDeps): PacedQueue
  /** What its body may be; `SMALL_BODY` unless said. */
  bodyLimit?: BodyLimit
  /** A body may be left out altogether. */
  bodyOptional?: true
  /** `raw`: the handler gets the bytes. `form`: form fields are taken beside JSON. */
  bodyForm?: 'raw' | 'form'
  /** What the bytes of a raw body are. */
  rawMedia?: 'application/json' | 'application/x-www-form-urlencoded' | 'text/csv'
  answers: Readonly<Record<number, AnswerDoc>>
  /** Headers of every answer of it, refusals too. */
  headers?: Readonly<Record<string, string>>
  /** A browser that opens this address gets the page of this app, which asks for the data itself. */
  page?: PageApp
  /** It is about the session of whoever is logged in. */
  ofSession?: true
  /** Takes the `Link-Session` of a verified customer. */
  linkSession?: true
  /** Refusals beyond those of every endpoint of its access. */
  refusals: readonly RefusalCode[]
  /** `own`: its operation keeps the Idempotency-Key itself. `none`: it changes nothing, so nothing is kept. */
  idempotency?: 'own' | 'none'
  /** A merchant admin who is logged in may do it in the own account, as an operator may. */
  alsoAdmin?: true
  /** `own`: its operation writes the row of the audit log in its own statement. */
  audit?: 'own'
  /** Why its successes leave no row in the audit log. */
  unaudited?: string
  handle(ask: AnyRequest): HttpResponse | Promise<HttpResponse>
}

/**
 * How the documentation calls an endpoint beside its body: `$NAMES` for parameters of the path (else the usual one of
 * each), a query, headers, and the status where it is not the first that the endpoint answers, with the reason.
 */
export type ExampleCall = {
  path?: Readonly<Record<string, string>>
  query?: string
  headers?: readonly string[]
  /** A file of the reader's in place of a body. */
  bodyFile?: string
  status?: { code: number; because: string }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type AnswerDoc = { description: string; schema?: z.ZodType; media?: readonly string[] }
export type Tag =
  | 'Deliveries'
  | 'Quotes'
  | 'Manifests'
  | 'Documents'
  | 'Stores'
  | 'Own network'
  | 'Events'
  | 'Messages'
  | 'Links'
  | 'Tracking'
  | 'Tokens'
  | 'People'
  | 'Carriers'
  | 'Accounts'
  | 'Service'

export type RequestContext<B = unknown, Q = unknown> = {
  deps: HttpDeps
  params: Readonly<Record<string, string>>
  query: Q
  body: B
  request: FastifyRequest
  /** Set where the endpoint keeps the key itself and the caller sent one. */
  idempotency: { key: string; fingerprint: Buffer } | null
  audit: AuditScope
  /** Keeps the answer under the request's key, given to operations that change one thing in one transaction. */
  keep: Keep
  /** What was begun under the request's key, given to operations that ask a carrier on the way. */
  begun: Checkpoint
}
export type TenantRequest<B = unknown, Q = unknown> = RequestContext<B, Q> & {
  entry: AccountEntry
  caller: Caller
}
export type DriverRequest<B = unknown> = RequestContext<B> & { driver: Driver }
/** Everything an ask may carry; `entry`, `caller` and `driver` are there where the access promises them. */
export type AnyRequest = RequestContext & {
  entry: AccountEntry | null
  caller: Caller | null
  driver: Driver | null
}

/** What is refused, and whose it is: `entry` and `caller` as in `AnyRequest`. */
export type RefusedBody = Pick<AnyRequest, 'deps' | 'params' | 'body' | 'entry' | 'caller'>
export type RefusedQuery = Pick<AnyRequest, 'entry' | 'caller'> & { query: Readonly<Record<string, unknown>> }
type TenantRefused = Pick<TenantRequest, keyof RefusedBody>
type TenantRefusedQuery = Pick<TenantRequest, 'entry' | 'caller'> & Pick<RefusedQuery, 'query'>

type Declared<A extends Access, B extends z.ZodType, Q extends z.ZodObject> = Omit<
  Endpoint,
  'access' | 'body' | 'query' | 'handle' | 'moreIssues' | 'moreOfQuery'
> & { access: A; body?: B; query?: Q }

/** An endpoint under an account: its handler gets the account and the caller. */
export function tenantEndpoint<B extends z.ZodType = z.ZodUnknown, Q extends z.ZodObject = z.ZodObject>(
  declared: Declared<Scope, B, Q> & {
    moreOfQuery?(refused: TenantRefusedQuery): Issue[]
    moreIssues?(refused: TenantRefused): Issue[]
    handle(ask: TenantRequest<z.infer<B>, z.infer<Q>>): HttpResponse | Promise<HttpResponse>
  },
): Endpoint {
  return declared as unknown as Endpoint
}

/** A document under an account: the caller is null where a signature opened it. */
export function documentEndpoint<Q extends z.ZodObject = z.ZodObject>(
  declared: Declared<'document', z.ZodUndefined, Q> & {
    handle(
      ask: Omit<TenantRequest<undefined, z.infer<Q>>, 'caller'> & { caller: Caller | null },
    ): HttpResponse | Promise<HttpResponse>
  },
): Endpoint {
  return declared as unknown as Endpoint
}

/** What the driver app calls: its handler gets the driver who is logged in. */
export function driverEndpoint<B extends z.ZodType = z.ZodUnknown>(
  declared: Declared<'driver', B, z.ZodObject> & {
    moreIssues?(refused: RefusedBody): Issue[]
    handle(ask: DriverRequest<z.infer<B>>): HttpResponse | Promise<HttpResponse>
  },
): Endpoint {
  return declared as unknown as Endpoint
}

/** An endpoint outside accounts. */
export function openEndpoint<B extends z.ZodType = z.ZodUnknown, Q extends z.ZodObject = z.ZodObject>(
  declared: Declared<'public' | 'operator', B, Q> & {
    moreOfQuery?(refused: RefusedQuery): Issue[]
    moreIssues?(refused: RefusedBody): Issue[]
    handle(ask: RequestContext<z.infer<B>, z.infer<Q>>): HttpResponse | Promise<HttpResponse>
  },
): Endpoint {
  return declared as unknown as Endpoint
}

export function json(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body: JSON.stringify(value) }
}

/** 201 for a thing that can be read at `location`, a path. */
export function created(location: string, value: unknown): HttpResponse {
  return json(201, value, { location })
}

/** A list that is given whole. */
export function wholeList(data: readonly unknown[]): HttpResponse {
  return json(200, { data, pagination: { next: null, has_more: false } })
}

export const JSON_TYPE: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
}
/**
 * Writes the answer under the request's key in the transaction of what it tells: whoever dies after the commit has
 * kept it. Does nothing for a request without a key.
 */

export type Keep = (db: Parameters<typeof completeKey>[0], answer: HttpResponse) => Promise<void>
