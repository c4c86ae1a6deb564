import createClient from 'openapi-fetch'
import type { paths } from './api.generated.ts'
import { Problem } from './problem.ts'

/** The documented API of this origin; the user's cookie goes with every request. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

// Browsers report a failed request as a TypeError.
api.use({
  onError: ({ request, schemaPath, error }) =>
    error instanceof TypeError
      ? new Problem(0, { detail: lostResponseText(request, schemaPath) })
      : undefined,
})

/** Actions that are safe to repeat, but are not retried automatically. */
const ONLY_ASKS = /\/(session|link|forgotten|login|verify|labels|quote-next-available|check)$/

/** The message for a request without a response: a change may have been made. */
function lostResponseText({ method, headers }: Request, schemaPath: string): string {
  if (method === 'GET') return 'There was no response. We’ll try again automatically.'
  if (ONLY_ASKS.test(schemaPath)) return 'There was no response. Try again once you’re online.'
  return headers.has('idempotency-key')
    ? 'There was no response, so it may or may not have worked. It’s safe to try again: it won’t be done twice.'
    : 'There was no response, so it may or may not have worked. Check before you try again.'
}

type Asked<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** The response's data. Throws a Problem for an error response or none. */
export async function unwrap<T>(asked: Asked<T>): Promise<T> {
  const { data, error, response } = await asked.catch((failure) => {
    throw failure instanceof TypeError || isTimeOut(failure) ? new Problem(0, {}) : failure
  })
  if (!response.ok) {
    const body = typeof error === 'object' && error !== null ? error : {}
    throw new Problem(response.status, body, response.headers.get('retry-after'))
  }
  return data as T
}

/** A request that ends by a time-out signal counts as one without a response. */
function isTimeOut(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'TimeoutError'
}

/** A signed address from a response, moved to this origin: it may name another host of the same service. */
export function localAddress(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
