import { type Answer, type CallOptions, type Connection, call, isBrowser, type Request } from './call.ts'
import { DroverError } from './errors.ts'
import { eventFeed } from './event-feed.ts'
import { OPERATIONS, Resources } from './operations.generated.ts'
import { type Page, Pages } from './pages.ts'
import { type AccessToken, TokenCache } from './token.ts'
import type { TokenAnswer } from './types.generated.ts'

export type DroverOptions = {
  /** Of the installation, such as `https://drover.example.com`. */
  baseUrl: string
  /** The account's id, as in `/{account}/deliveries`. */
  account: string
  /** For each attempt; 30 s unless given. */
  timeoutMs?: number
  /** After the first attempt; 2 unless given. */
  maxRetries?: number
  /** Instead of the global one, for proxies and tests. */
  fetch?: typeof fetch
} & (
  | { clientId: string; clientSecret: string; scope?: string; token?: never }
  | {
      /** A valid token; called before each request, and again if the API rejected the token. */
      token: () => Promise<string>
      clientId?: never
      clientSecret?: never
    }
)

const TIMEOUT_MS = 30_000
const MAX_RETRIES = 2
/** A program that sleeps for an hour looks hung. */
const MAX_RETRY_AFTER_MS = 60_000
/** Names in the last argument that are not part of the query. */
const OPTION_NAMES: readonly string[] = ['idempotencyKey', 'signal', 'timeoutMs', 'maxRetries']

/** The API of one account. Keep one for the whole program: it holds the token. */
export class Drover extends Resources {
  constructor(options: DroverOptions) {
    super()
    const connection = toConnection(options)
    const root = toRoot(options.account)
    for (const [resource, operations] of Object.entries(OPERATIONS)) {
      const methods = Object.entries(operations).map(([name, operation]) => [
        name,
        (...args: unknown[]) => run(connection, root, operation, args),
      ])
      Object.assign(this, { [resource]: Object.fromEntries(methods) })
    }
    Object.assign(
      this.events,
      eventFeed((query) => this.events.list(query).page()),
    )
  }
}

/** The connection of a client of one account, which requests a token when it first needs one. */
export function toConnection(options: DroverOptions): Connection {
  const { baseUrl, account, timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options
  if (!options.token && isBrowser()) {
    throw new TypeError(
      'A client secret must not be in a browser: pass `token` and get tokens from your server.',
    )
  }
  const anonymous: Connection = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    tokens: null,
    timeoutMs,
    maxRetries,
    maxRetryAfterMs: MAX_RETRY_AFTER_MS,
  }
  const request = options.token
    ? async (): Promise<AccessToken> => ({ value: await options.token(), lifetimeMs: 0 })
    : () => requestToken(anonymous, toRoot(account), options)
  return { ...anonymous, tokens: new TokenCache(request) }
}

/** The start of every path of an account. */
export function toRoot(account: string): string {
  return `/${encodeURIComponent(account)}`
}

async function requestToken(
  connection: Connection,
  root: string,
  { clientId, clientSecret, scope }: DroverOptions & { scope?: string },
): Promise<AccessToken> {
  // The request that waits for the token repeats.
  const once = { maxRetries: 0 }
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope }
  const answer = await call(connection, { method: 'POST', path: `${root}/auth/token`, body, options: once })
  const { access_token, expires_in } = toJson(answer) as TokenAnswer
  return { value: access_token, lifetimeMs: expires_in * 1_000 }
}

/** An operation is `METHOD path answer body`, such as `PATCH deliveries/{}/book data json`. */
function run(connection: Connection, root: string, operation: string, args: readonly unknown[]): unknown {
  const [method = '', template = '', kind, media] = operation.split(' ')
  const rest = [...args]
  const path = `${root}/${template.replaceAll('{}', () => toSegment(rest.shift()))}`
  const body = media ? rest.shift() : undefined
  const { query, options } = toOptions(rest[0] as Record<string, unknown> | undefined)
  const request: Request = {
    method,
    path,
    query,
    options,
    ...(body !== undefined && { body }),
    ...(media === 'csv' && { contentType: 'text/csv' }),
    ...(kind === 'bytes' && { accept: '*/*' }),
  }
  if (kind === 'pages') {
    return new Pages(async (place) => {
      const answer = await call(connection, { ...request, query: { ...query, ...place } })
      return toJson(answer) as Page<unknown>
    })
  }
  return call(connection, request).then((answer) => {
    if (kind === 'bytes') return new Uint8Array(answer.body)
    if (kind === 'nothing') return undefined
    const json = toJson(answer)
    return kind === 'data' ? (json as { data: unknown }).data : json
  })
}

function toSegment(value: unknown): string {
  // With these, the URL would be another operation's; encoded dots, too, are resolved by URL parsers.
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
    throw new TypeError('An id or reference must not be empty, "." or "..".')
  }
  return encodeURIComponent(value)
}

function toOptions(given: Record<string, unknown> = {}): {
  query: Record<string, unknown>
  options: CallOptions
} {
  const isOption = ([name]: [string, unknown]) => OPTION_NAMES.includes(name)
  const entries = Object.entries(given)
  return {
    query: Object.fromEntries(entries.filter((entry) => !isOption(entry))),
    options: Object.fromEntries(entries.filter(isOption)),
  }
}

function toJson({ status, body }: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new DroverError('unexpected_answer', `The server answered ${status} without JSON. Check baseUrl.`, {
      status,
    })
  }
}
