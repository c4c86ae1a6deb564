import { DroverError, toDroverError } from './errors.ts'
import { isUncertain, withRetries } from './retry.ts'
import type { TokenCache } from './token.ts'
import { webCrypto } from './web-crypto.ts'

/** Of one request; each may be left out. */
export type CallOptions = {
  /** Sent with POST and PATCH. Without one, the client makes a UUID. The same key needs the same body. */
  idempotencyKey?: string
  signal?: AbortSignal | undefined
  /** For each attempt. */
  timeoutMs?: number
  maxRetries?: number
}

export type Connection = {
  baseUrl: string
  fetch: typeof fetch
  /** Null: the requests need no token, or the browser's cookie replaces it. */
  tokens: TokenCache | null
  /** For each attempt; null: no limit. */
  timeoutMs: number | null
  maxRetries: number
  /** If `Retry-After` is longer, the request fails at once. */
  maxRetryAfterMs: number
}

export type Request = {
  method: string
  /** With the account, encoded, from the first slash. */
  path: string
  query?: Readonly<Record<string, unknown>> | undefined
  /** Sent as JSON, unless it is text or a file. */
  body?: unknown
  contentType?: string
  accept?: string
  headers?: Readonly<Record<string, string>> | undefined
  options?: CallOptions
}

/** A 2xx answer, read to its end. */
export type Answer = { status: number; headers: Headers; body: ArrayBuffer }

export const VERSION = '0.1.0'
const UNAUTHORIZED = 401
const NO_CONTENT = 204
const NOT_FOUND = 404

/** Sends a request until it has an answer, with an `Idempotency-Key` where a repeat could do the work twice. */
export async function call(connection: Connection, request: Request): Promise<Answer> {
  const { method, options = {} } = request
  const isKeyed = method === 'POST' || method === 'PATCH'
  const key = isKeyed ? (options.idempotencyKey ?? (await makeKey(connection))) : null
  const maxRetries = options.maxRetries ?? connection.maxRetries
  let mayBeDone = false
  const send = async (token: string | null): Promise<Answer> => {
    try {
      return await attempt(connection, request, key, token)
    } catch (error) {
      if (!(error instanceof DroverError)) throw error
      const isGone = error.status === NOT_FOUND && method === 'DELETE'
      // The attempt whose answer was lost has deleted it.
      if (mayBeDone && isGone) return { status: NO_CONTENT, headers: new Headers(), body: new ArrayBuffer(0) }
      mayBeDone ||= isUncertain(error)
      throw error
    }
  }
  const { maxRetryAfterMs } = connection
  return withRetries(() => withToken(connection, request, send), {
    maxRetries,
    maxRetryAfterMs,
    signal: options.signal,
  })
}

/**
 * Without a token, a request has a key only if its caller gives one: the response to a login must not be stored under
 * a key.
 */
async function makeKey({ tokens }: Connection): Promise<string | null> {
  return tokens && (await webCrypto()).randomUUID()
}

/** A browser sends its own `User-Agent`. A server on another origin would have to allow a different one (CORS). */
export function isBrowser(): boolean {
  return 'document' in globalThis
}

/** With a token; a rejected one is renewed once. */
async function withToken(
  { tokens }: Connection,
  { options }: Request,
  send: (token: string | null) => Promise<Answer>,
): Promise<Answer> {
  if (!tokens) return send(null)
  const signal = options?.signal
  const token = await orAborted(tokens.get(), signal)
  try {
    return await send(token)
  } catch (error) {
    if (!(error instanceof DroverError) || error.status !== UNAUTHORIZED) throw error
    return send(await orAborted(tokens.get(token), signal))
  }
}

async function attempt(
  { baseUrl, fetch, timeoutMs }: Connection,
  {
    method,
    path,
    query,
    body,
    contentType = 'application/json',
    accept = 'application/json',
    headers,
    options = {},
  }: Request,
  key: string | null,
  token: string | null,
): Promise<Answer> {
  const signal = options.signal
  signal?.throwIfAborted()
  const limit = new AbortController()
  const onAbort = (): void => limit.abort()
  signal?.addEventListener('abort', onAbort)
  let isLate = false
  const limitMs = options.timeoutMs ?? timeoutMs
  const onLate = (): void => {
    isLate = true
    limit.abort()
  }
  const timer = limitMs === null ? undefined : setTimeout(onLate, limitMs)
  try {
    const response = await fetch(`${baseUrl}${path}${toQuery(query)}`, {
      method,
      headers: {
        accept,
        ...(!isBrowser() && { 'user-agent': `drover-client-typescript/${VERSION}` }),
        ...headers,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(key !== null && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && {
        body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
      }),
      // A redirected POST would become a GET.
      redirect: 'manual',
      signal: limit.signal,
    })
    const received = await response.arrayBuffer()
    if (!response.ok) throw toDroverError(response, new TextDecoder().decode(received))
    return { status: response.status, headers: response.headers, body: received }
  } catch (error) {
    if (error instanceof DroverError) throw error
    signal?.throwIfAborted()
    if (isLate) throw new DroverError('timeout', `${method} ${path} had no answer within ${limitMs} ms.`)
    const message = `${method} ${path} got no answer: the connection to ${baseUrl} failed.`
    throw new DroverError('connection_failed', message, { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** The token request serves every waiter, so one waiter's signal must not end it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((done, fail) => {
    const onAbort = (): void => fail(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(done, fail).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function toQuery(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    const values = Array.isArray(value) ? value : [value]
    return values.flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)]]))
  })
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
