import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

export type Reply = {
  status: number
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: any response is parsed.
  json: any
  headers: Readonly<Record<string, unknown>>
}
export type Call = {
  /** A text or bytes are sent as they are, anything else as JSON; a function makes the body of each try. */
  body?: unknown
  /** Null: without a token. */
  token?: string | null
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}
/** `ask('POST /demo/deliveries', { body })`. Throws if there is no response. */
export type Ask = (line: string, call?: Call) => Promise<Reply>

export type Credentials = { client_id: string; client_secret: string }

const PAUSE_MS = 300

/** Calls the service at this address. Paths follow the address's own; `bearer` is for calls without a token. */
export function asker(base: string, bearer: string | null = null): Ask {
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  return async (line, { body: given, token = bearer, headers = {}, signal } = {}) => {
    const [method, path] = line.split(' ') as ['GET', string]
    const body = typeof given === 'function' ? given() : given
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
    const reply = await request(origin, {
      ...{ method, path: `${prefix}${path}`, signal: signal ?? null },
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
    })
    const text = await reply.body.text()
    const isJson = String(reply.headers['content-type']).includes('json') && text !== ''
    return {
      status: reply.statusCode,
      text,
      json: isJson ? JSON.parse(text) : null,
      headers: reply.headers,
    }
  }
}

/** A header that gives each number a client address of its own, because rate limits are per address. */
export function fromAddress(number: number): Record<string, string> {
  return { 'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}

/** Paths are relative to this one. */
export function under(path: string, ask: Ask): Ask {
  return (line, call) => ask(line.replace(' ', ` ${path}`), call)
}

/** Calls each of several processes in turn. */
export function inTurn(apis: readonly Ask[]): Ask {
  let turn = 0
  return (line, call) => (apis[turn++ % apis.length] as Ask)(line, call)
}

/** Sends again while there is no response or it means "later", and returns the last one after `patienceMs`. */
export function retrying(ask: Ask, isLater: (reply: Reply) => boolean, patienceMs: number): Ask {
  return async (line, call) => {
    const endMs = performance.now() + patienceMs
    for (;;) {
      const isLast = performance.now() > endMs
      const reply = await ask(line, call).catch((error: unknown) => {
        if (isLast) throw error
        return null
      })
      if (reply && (isLast || !isLater(reply))) return reply
      await sleep(Math.max(PAUSE_MS, Number(reply?.headers['retry-after'] ?? 0) * 1_000))
    }
  }
}

/** Calls with a token of this client, and gets another one when the token has expired. */
export function signedIn(ask: Ask, credentials: Credentials, tokenPath = '/auth/token'): Ask {
  const body = { grant_type: 'client_credentials', ...credentials }
  let token: string | null = null
  return async (line, call = {}) => {
    if (call.token !== undefined) return ask(line, call)
    const signal = call.signal ? { signal: call.signal } : {}
    token ??= (await good(ask(`POST ${tokenPath}`, { body, token: null, ...signal }))).access_token as string
    const reply = await ask(line, { ...call, token })
    if (reply.status === 401) token = null
    return reply
  }
}

/** The response, or an error with its text when the status is not 2xx. */
export async function accepted(sent: Promise<Reply>, what = ''): Promise<Reply> {
  const reply = await sent
  if (reply.status < 300) return reply
  throw new Error(`${what} answered ${reply.status}: ${reply.text}`.trim())
}

/** The `data` of a 2xx. */
export async function good(sent: Promise<Reply>, what = ''): Promise<Reply['json']> {
  const { json } = await accepted(sent, what)
  return json?.data ?? json
}

/** `409 duplicate_reference`. */
export function nameOf({ status, json }: Reply): string {
  return `${status} ${json?.code ?? ''}`.trim()
}

/** Every page of a list or feed after a cursor, and the next cursor. */
export async function pagesAfter(
  ask: Ask,
  path: string,
  cursor: string | null = null,
): Promise<{ all: Reply['json'][]; next: string | null }> {
  const all: Reply['json'][] = []
  for (let next = cursor; ; ) {
    const after: string = next === null ? '' : `&after=${encodeURIComponent(next)}`
    const { json } = await accepted(
      ask(`GET ${path}${path.includes('?') ? '&' : '?'}limit=200${after}`),
      path,
    )
    all.push(...json.data)
    next = json.pagination.next
    if (!json.pagination.has_more) return { all, next }
  }
}

export async function pages<T = Reply['json']>(ask: Ask, path: string): Promise<T[]> {
  return (await pagesAfter(ask, path)).all
}

/** Runs `work` for every item, at most `max` at once. */
export async function inFlight<T>(
  items: Iterable<T>,
  max: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: max }, worker))
}
