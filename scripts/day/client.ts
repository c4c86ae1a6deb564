import { setTimeout as sleep } from 'node:timers/promises'

/** A response of the service. */
export type Reply = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the responses of a dozen endpoints.
  body: any
  /** The wait that the response asks for before a retry. */
  retryAfterMs: number
}

export type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

const TRIES = 5
const PAUSE_MS = 500

/**
 * Calls the service. Retries with the same key when the response means "later" (429, 503, a key in use, a
 * lost connection).
 */
export function api(base: string, bearer: () => Promise<string>): Api {
  return async (method, path, body, headers = {}) => {
    for (let tries = 1; ; tries++) {
      const reply = await ask(base, await bearer(), { method, path, body, headers }).catch(
        (error: unknown) => {
          if (tries === TRIES) throw error
          return null
        },
      )
      if (reply && (!isRetryLater(reply) || tries === TRIES)) return reply
      await sleep(Math.max(PAUSE_MS * tries, reply?.retryAfterMs ?? 0))
    }
  }
}

function isRetryLater({ status, body }: Reply): boolean {
  return [429, 503].includes(status) || body.code === 'idempotency_in_progress'
}

type Ask = { method: string; path: string; body?: unknown; headers: Record<string, string> }

async function ask(base: string, bearer: string, { method, path, body, headers }: Ask): Promise<Reply> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    body: json && text ? JSON.parse(text) : text,
    retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000,
  }
}

/** The response's body, or an error with its text when the status is not 2xx. */
export function good({ status, body }: Reply, what: string): Reply['body'] {
  if (status < 300) return body
  throw new Error(`${what} answered ${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`)
}

/** Runs `work` for every item, at most `max` at once. */
export async function inFlight<T>(
  items: readonly T[],
  max: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, worker))
}
