import { setTimeout as sleep } from 'node:timers/promises'
import { TOKEN_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { asker } from '../../test/harness/http.ts'

/** Concurrent callers, each of which sends its next request at once. */
const CALLERS = 48
const PAUSE_WHILE_AWAY_MS = 20

/** Requests tokens, deliveries and quotes from a service that may not listen yet, until it is stopped. */
export function requestsAt(base: string): { answered(): number; stop(): void } {
  let answered = 0
  const ask = asker(`${base}/demo`)
  const stopping = new AbortController()
  const { signal } = stopping
  const call = async (at: number): Promise<void> => {
    while (!signal.aborted) {
      try {
        const { json } = await ask('POST /auth/token', { body: TOKEN_EXAMPLE, signal })
        answered++
        for (const path of at % 2 ? ['/deliveries', '/manifests'] : ['/links', '/events']) {
          await ask(`GET ${path}`, { token: json?.access_token, signal })
          answered++
        }
      } catch {
        await sleep(PAUSE_WHILE_AWAY_MS)
      }
    }
  }
  for (let at = 0; at < CALLERS; at++) void call(at)
  return { answered: () => answered, stop: () => stopping.abort() }
}
