import createClient from 'openapi-fetch'
import type { paths } from './api.generated.ts'
import { Problem } from './problem.ts'

/** The documented API of this origin; the person's cookie goes with every request. */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

// Browsers answer a request that got nowhere with a TypeError.
api.use({
  onError: ({ request, schemaPath, error }) =>
    error instanceof TypeError ? new Problem(0, { detail: lostWords(request, schemaPath) }) : undefined,
})

/** These change nothing that could be done twice, and are not asked again by themselves. */
const ONLY_ASKS = /\/(session|link|forgotten|login|verify|labels|quote-next-available|check)$/

/** What is true of a request to which nothing came back: whoever changes things may have changed them. */
function lostWords({ method, headers }: Request, schemaPath: string): string {
  if (method === 'GET') return 'Nothing came back. It is asked for again by itself.'
  if (ONLY_ASKS.test(schemaPath)) return 'Nothing came back. Try again once there is a connection.'
  return headers.has('idempotency-key')
    ? 'No answer came: it may be done, or not. Press again: it is done once at most.'
    : 'No answer came: it may be done, or not. Look before you do it again.'
}

type Asked<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** What was answered. Throws a Problem for a refusal and where nothing came back. */
export async function answerOf<T>(asked: Asked<T>): Promise<T> {
  const { data, error, response } = await asked.catch((failure) => {
    throw failure instanceof TypeError || isTimeOut(failure) ? new Problem(0, {}) : failure
  })
  if (!response.ok) {
    const body = typeof error === 'object' && error !== null ? error : {}
    throw new Problem(response.status, body, response.headers.get('retry-after'))
  }
  return data as T
}

/** Whoever asks with a signal of a time-out is told that nothing came back. */
function isTimeOut(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'TimeoutError'
}

/** A signed address of an answer, on this origin: it may have been made for another name of the same service. */
export function localAddress(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
