import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { RequestKind } from '../../domain/delivery/cross-field.ts'
import type { Issue, RefusalCode } from '../../domain/errors.ts'
import type { PacedQueue } from '../../operations/concurrency/paced-queue.ts'
import type { AccountEntry } from '../../operations/directory/account-directory.ts'
import type { Caller, Scope } from '../../operations/directory/caller.ts'
import type { Checkpoint } from '../../operations/idempotency/checkpoint.ts'
import type { Driver } from '../../operations/own-couriers/driver-session.ts'
import type { completeKey } from '../../store/deliveries/idempotency.ts'
import type { AuditScope } from './audit-trail.ts'
import type { BodyLimit } from './body-limit.ts'
import type { HttpDeps } from './deps.ts'

/** A page app. */
export type PageApp = 'portal' | 'driver' | 'track' | 'book'

/** A response. Text is sent as it is: handlers serialise, so that a stored response is the same bytes. */
export type HttpResponse = {
  status: number
  headers?: Readonly<Record<string, string>>
  /** Sent in addition to `headers`. */
  cookies?: readonly string[]
  body: string | Buffer
}

/**
 * Required access: anybody, the operator, a token with a scope, `client` (an API client's token, whatever its scopes;
 * never a person's session), `document` (a token that reads deliveries, or a signed URL), or `driver` (a courier's own
 * session).
 */
export type Access = 'public' | 'operator' | 'client' | 'document' | 'driver' | Scope

/** One endpoint: its handler, its validation and its documentation. */
export type Endpoint = {
  method: Method
  /** Fastify's pattern; parameters have the names of the documentation. */
  url: string
  operationId: string
  access: Access
  tag: Tag
  summary: string
  description?: string
  query?: z.ZodObject
  /** Further issues of a rejected query that can be found without the database; the query may have any shape. */
  moreOfQuery?(refused: RefusedQuery): Issue[]
  body?: z.ZodType
  /** Rules between fields of the body, reported together with the schema's issues. */
  crossFields?: RequestKind
  /** Fields of the body that remove a value when they are empty; the handler reads them as null. */
  clearable?: readonly string[]
  /** Further issues of a rejected body, likewise. */
  moreIssues?(refused: RefusedBody): Issue[] | Promise<Issue[]>
  /** Schema for the documentation only: the endpoint reports invalid input in its own form. */
  documentedBody?: z.ZodType
  /** A valid body, for the documentation; `$NAMES` in it are those of `examples/variables.ts`. */
  example?: unknown
  /** The other parts of the documented example call. */
  exampleCall?: ExampleCall
  /** How many requests one call counts as against the rate limit; defaults to 1. */
  cost?: number
  /** How many requests a process works on at once, if not the default; see `concurrency-limit.ts`. */
  atOnce?: number
  /** The queue that paces requests which share one limited resource of ours. */
  queue?(deps: HttpDeps): PacedQueue
  /** Body limit; defaults to `SMALL_BODY`. */
  bodyLimit?: BodyLimit
  /** The body is optional. */
  bodyOptional?: true
  /** `raw`: the handler gets the bytes. `form`: form fields are accepted as well as JSON. */
  bodyForm?: 'raw' | 'form'
  /** Media type of a raw body. */
  rawMedia?: 'application/json' | 'application/x-www-form-urlencoded' | 'text/csv' | 'image/svg+xml'
  answers: Readonly<Record<number, AnswerDoc>>
  /** Headers of every response, errors included. */
  headers?: Readonly<Record<string, string>>
  /** A browser that opens this URL gets the page of this app, which then requests the data. */
  page?: PageApp
  /** Refuses a request by its headers alone, before its token and its body are read. */
  refuseEarly?(deps: HttpDeps, request: FastifyRequest): void
  /** Works on the caller's own session. */
  ofSession?: true
  /** Only reads, and may read a replica of the database. */
  readsReplica?: true
  /** Accepts the `Link-Session` of a verified customer. */
  linkSession?: true
  /** Error codes beyond those that its access implies. */
  refusals: readonly RefusalCode[]
  /**
   * `own`: the operation stores the Idempotency-Key itself. `none`: the endpoint changes nothing, so nothing is stored.
   */
  idempotency?: 'own' | 'none'
  /** A logged-in merchant admin may call it for their own account, as an operator may. */
  alsoAdmin?: true
  /** `own`: the operation writes the audit row in its own statement. */
  audit?: 'own'
  /** Why successes leave no row in the audit log. */
  unaudited?: string
  handle(ask: AnyRequest): HttpResponse | Promise<HttpResponse>
}

/**
 * How the documentation calls an endpoint, apart from the body: `$NAMES` for path parameters (default: the usual one of
 * each), a query, headers, and the status with its reason if it is not the endpoint's first.
 */
export type ExampleCall = {
  path?: Readonly<Record<string, string>>
  query?: string
  headers?: readonly string[]
  /** A file of the reader's instead of a body. */
  bodyFile?: string
  status?: { code: number; because: string }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type AnswerDoc = {
  description: string
  schema?: z.ZodType
  media?: readonly string[]
  /** Headers of this answer alone, by their names in the document's components. */
  headers?: readonly ('LabelsLeftOut' | 'LabelsLeftOutCount')[]
}
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
  /** Set if the endpoint stores the key itself and the client sent one. */
  idempotency: { key: string; fingerprint: Buffer } | null
  audit: AuditScope
  /** Stores the response under the request's key; passed to operations that make one change in one transaction. */
  keep: Keep
  /** The checkpoint saved under the request's key; passed to operations that call a carrier on the way. */
  checkpoint: Checkpoint
}
export type TenantRequest<B = unknown, Q = unknown> = RequestContext<B, Q> & {
  entry: AccountEntry
  caller: Caller
}
export type DriverRequest<B = unknown> = RequestContext<B> & { driver: Driver }
/**
 * Everything that a request may have; `entry`, `caller` and `driver` are set if the endpoint's access guarantees them.
 */
export type AnyRequest = RequestContext & {
  entry: AccountEntry | null
  caller: Caller | null
  driver: Driver | null
}

/** A rejected body and its caller: `entry` and `caller` as in `AnyRequest`. */
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
  declared: Declared<Scope | 'client', B, Q> & {
    moreOfQuery?(refused: TenantRefusedQuery): Issue[]
    moreIssues?(refused: TenantRefused): Issue[]
    handle(ask: TenantRequest<z.infer<B>, z.infer<Q>>): HttpResponse | Promise<HttpResponse>
  },
): Endpoint {
  return declared as unknown as Endpoint
}

/** A document under an account: the caller is null if a signature opened it. */
export function documentEndpoint<Q extends z.ZodObject = z.ZodObject>(
  declared: Declared<'document', z.ZodUndefined, Q> & {
    handle(
      ask: Omit<TenantRequest<undefined, z.infer<Q>>, 'caller'> & { caller: Caller | null },
    ): HttpResponse | Promise<HttpResponse>
  },
): Endpoint {
  return declared as unknown as Endpoint
}

/** An endpoint of the driver app: its handler gets the logged-in driver. */
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
    moreIssues?(refused: RefusedBody): Issue[] | Promise<Issue[]>
    handle(ask: RequestContext<z.infer<B>, z.infer<Q>>): HttpResponse | Promise<HttpResponse>
  },
): Endpoint {
  return declared as unknown as Endpoint
}

export function json(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body: JSON.stringify(value) }
}

/** 201 for a resource that can be read at `location`, a path. */
export function created(location: string, value: unknown): HttpResponse {
  return json(201, value, { location })
}

/** A list on a single page. */
export function wholeList(data: readonly unknown[]): HttpResponse {
  return json(200, { data, pagination: { next: null, has_more: false } })
}

/** One page of resources that are JSON text already. */
export function listOfTexts(texts: readonly string[], next: string | null): HttpResponse {
  const pagination = JSON.stringify({ next, has_more: next !== null })
  return { status: 200, headers: JSON_TYPE, body: `{"data":[${texts.join(',')}],"pagination":${pagination}}` }
}

export const JSON_TYPE: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
}
/**
 * Stores the response in the same transaction as the change, so it survives a crash after commit. Does nothing for a
 * request without a key.
 */

export type Keep = (db: Parameters<typeof completeKey>[0], answer: HttpResponse) => Promise<void>

/** Whether the endpoint supports an Idempotency-Key. */
export function takesKey({ method, url, bodyForm, idempotency }: Endpoint): boolean {
  if (idempotency === 'own') return true
  const isOfAccount = url.startsWith('/:tenant_id/') || url.startsWith('/admin/accounts/:tenant_id/')
  return isOfAccount && (method === 'POST' || method === 'PATCH') && bodyForm !== 'form'
}
