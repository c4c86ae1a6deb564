/** The pages' API client: calls typed by the API's paths, over the core of `@drover/client`. */
import { type Connection, call } from '../../clients/typescript/src/call.ts'
import { DroverError } from '../../clients/typescript/src/errors.ts'
import type { paths } from './api.generated.ts'
import { Problem } from './problem.ts'

/**
 * This origin: the user's cookie goes with every request. Only the driver's list of jobs and the tracking page set a time
 * limit.
 */
const CONNECTION: Connection = {
  baseUrl: '',
  fetch: (...args) => fetch(...args),
  tokens: null,
  timeoutMs: null,
  // React Query repeats reads (`retry.ts`), and a change without a key could be made twice.
  maxRetries: 0,
  // A person watches: for a longer wait they get a message.
  maxRetryAfterMs: 5_000,
}
/** With a key the server makes the change once, however often it is sent. As many retries as in `@drover/client`. */
const MAX_KEYED_RETRIES = 2

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathOf<M extends Method> = {
  [P in keyof paths]: M extends keyof paths[P] ? P : never
}[keyof paths]
type Operation<M extends Method, P extends PathOf<M>> = paths[P][M & keyof paths[P]]

type ParametersOf<O> = O extends { parameters: infer P }
  ? Omit<P, 'header'> & (P extends { header: infer H } ? { header: H } : unknown)
  : never
type Params<P> = object extends P ? { params?: P } : { params: P }

type Body<C> = C extends { 'application/json': infer Json }
  ? { body: Json }
  : { body: Blob; contentType: keyof C & string }
type BodyOf<O> = O extends { requestBody: { content: infer C } }
  ? Body<C>
  : 'requestBody' extends keyof O
    ? O extends { requestBody?: { content: infer C } }
      ? Partial<Body<C>>
      : never
    : unknown

type Options = {
  /** The same key for each attempt at the same change, so that it is made once. */
  idempotencyKey?: string
  timeoutMs?: number
}
type Init<O> = Params<ParametersOf<O>> & BodyOf<O> & Options
type Rest<I> = object extends I ? [init?: I] : [init: I]

/** JSON; a file if the API sends another media type. */
type Data<C> = [C] extends [never] ? undefined : C extends { 'application/json': infer Json } ? Json : Blob
type DataOf<O> = O extends { responses: infer R }
  ? { [S in Exclude<keyof R, 'default'>]: R[S] extends { content: infer C } ? Data<C> : never }[Exclude<
      keyof R,
      'default'
    >]
  : never

type Answer<T> = { data: T; status: number; headers: Headers }

/** The documented API. A call returns the response's data. It throws a Problem for an error or a lost response. */
export const api = {
  GET: caller('get'),
  POST: caller('post'),
  PUT: caller('put'),
  PATCH: caller('patch'),
  DELETE: caller('delete'),
}

function caller<M extends Method>(method: M) {
  return async <P extends PathOf<M>>(path: P, ...rest: Rest<Init<Operation<M, P>>>) =>
    (await request(method, path, ...rest)).data
}

/** As a call of `api`, for the few pages that read the status or a header. */
export function request<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...[init]: Rest<Init<Operation<M, P>>>
): Promise<Answer<DataOf<Operation<M, P>>>> {
  return send(method.toUpperCase(), path, init) as Promise<Answer<DataOf<Operation<M, P>>>>
}

type AnyInit = Options & {
  params?: {
    path?: Readonly<Record<string, unknown>>
    query?: Readonly<Record<string, unknown>>
    header?: Readonly<Record<string, string>>
  }
  body?: unknown
  contentType?: string
}

async function send(method: string, template: string, init: AnyInit = {}): Promise<Answer<unknown>> {
  const { params = {}, body, contentType, ...options } = init
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params.path?.[name])))
  const maxRetries = options.idempotencyKey === undefined ? CONNECTION.maxRetries : MAX_KEYED_RETRIES
  try {
    const answer = await call(CONNECTION, {
      method,
      path,
      query: params.query,
      headers: params.header,
      accept: '*/*',
      options: { maxRetries, ...options },
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
    })
    const { status, headers } = answer
    return { data: toData(headers.get('content-type') ?? '', answer.body), status, headers }
  } catch (error) {
    throw error instanceof DroverError
      ? toProblem(error, lostResponseText(method, template, options.idempotencyKey))
      : error
  }
}

function toData(type: string, body: ArrayBuffer): unknown {
  if (body.byteLength === 0) return undefined
  return /\bjson\b/.test(type) ? JSON.parse(new TextDecoder().decode(body)) : new Blob([body], { type })
}

function toProblem({ status, problem, retryAfterMs }: DroverError, lostText: string): Problem {
  if (status === null) return new Problem(0, { detail: lostText })
  return new Problem(status, problem ?? {}, retryAfterMs === null ? null : retryAfterMs / 1_000)
}

/** Actions that are safe to repeat, but are not retried automatically. */
const ONLY_ASKS = /\/(session|link|forgotten|login|verify|labels|quote-next-available|check)$/

const OUTCOME_UNKNOWN = 'There was no response, so it may or may not have worked. Check before you try again.'

/** The message for a request without a response: a change may have been made. */
function lostResponseText(method: string, template: string, idempotencyKey: string | undefined): string {
  if (method === 'GET') return 'There was no response. Check your internet connection.'
  if (ONLY_ASKS.test(template)) return 'There was no response. Try again once you’re online.'
  return idempotencyKey === undefined
    ? OUTCOME_UNKNOWN
    : 'There was no response, so it may or may not have worked. It’s safe to try again: it won’t be done twice.'
}

const DIALOG_LIMIT_MS = 30_000

/** For a dialog that can’t be closed before its change has an outcome: a request may hang for minutes. */
export async function withTimeLimit<T>(change: Promise<T>, limitMs = DIALOG_LIMIT_MS): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Problem(0, { detail: OUTCOME_UNKNOWN })), limitMs)
  try {
    return await Promise.race([change, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The version of a document, from its response's ETag. */
export function versionOf({ headers }: { headers: Headers }): number {
  return Number(headers.get('etag')?.replaceAll('"', ''))
}

/** A signed address from a response, moved to this origin: it may name another host of the same service. */
export function localAddress(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
