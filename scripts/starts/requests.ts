import { setTimeout as sleep } from 'node:timers/promises'

/** Concurrent callers, each of which sends its next request at once. */
const CALLERS = 48
const PAUSE_WHILE_AWAY_MS = 20

/** Requests tokens, deliveries and quotes from a service that may not listen yet, until it is stopped. */
export function requestsAt(base: string): { answered(): number; stop(): void } {
  let answered = 0
  const stopping = new AbortController()
  const call = async (at: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const token = await tokenAt(base, stopping.signal)
        answered++
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        for (const path of at % 2
          ? ['/demo/deliveries', '/demo/manifests']
          : ['/demo/links', '/demo/events']) {
          await readAnswer(fetch(base + path, { headers, signal: stopping.signal }))
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

async function tokenAt(base: string, signal: AbortSignal): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  })
  const answer = await fetch(`${base}/demo/auth/token`, { method: 'POST', body, signal })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function readAnswer(asked: Promise<Response>): Promise<void> {
  await (await asked).arrayBuffer()
}
