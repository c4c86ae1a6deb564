import { setTimeout as sleep } from 'node:timers/promises'
import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { exampleDelivery, READY_AT } from '../example-delivery.ts'

export type Load = {
  answered: Record<string, number>
  /** Failures: 5xx, and requests without a response. */
  failed: string[]
  /** Requests that were not sent because the process no longer listened. They go to the next process, as proxies do. */
  askedAgain: number
  /** Creates that returned 201. */
  acknowledged: string[]
}

const CALLERS = 8
const LOOK_EVERY_MS = 50

/**
 * Creates, gets and quotes without a pause, spread over the processes of `urls()` that report ready, until
 * `stopped`: like a load balancer with health checks.
 */
export async function runLoad(urls: () => readonly string[], stopped: AbortSignal): Promise<Load> {
  const load: Load = { answered: {}, failed: [], askedAgain: 0, acknowledged: [] }
  let ready: string[] = []
  const look = async () => {
    const asked = urls().map(async (url) => ((await isReady(url)) ? url : null))
    ready = (await Promise.all(asked)).flatMap((url) => url ?? [])
  }
  await look()
  const token = await tokenFrom(ready[0] as string)
  const looking = (async () => {
    while (!stopped.aborted) {
      await look()
      await sleep(LOOK_EVERY_MS)
    }
  })()

  let turn = 0
  const ask = async (name: string, path: string, body?: object): Promise<Response | null> => {
    for (;;) {
      const url = ready[turn++ % ready.length]
      if (!url) {
        await sleep(LOOK_EVERY_MS)
        continue
      }
      try {
        const answer = await fetch(`${url}/demo/deliveries${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        await answer.clone().arrayBuffer()
        const key = `${name} ${answer.status}`
        load.answered[key] = (load.answered[key] ?? 0) + 1
        if (answer.status >= 500) load.failed.push(`${key} ${await answer.text()}`)
        return answer
      } catch (error) {
        const { cause } = error as { cause?: { code?: string } }
        if (cause?.code !== 'ECONNREFUSED') {
          load.failed.push(`${name} ${cause?.code ?? error}`)
          return null
        }
        load.askedAgain += 1
      }
    }
  }
  const call = async (caller: number): Promise<void> => {
    for (let n = 0; !stopped.aborted; n++) {
      const reference = `U-${caller}-${n}`
      const made = await ask('create', '', exampleDelivery(reference, READY_AT))
      if (made?.status === 201) load.acknowledged.push(reference)
      await ask('get', `/${reference}`)
      await ask('quote', '/quote-next-available', QUOTE_EXAMPLE)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))
  await looking
  return load
}

export async function tokenFrom(url: string): Promise<string> {
  const answer = await fetch(`${url}/demo/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-client',
      client_secret: 'demo-secret',
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`)).ok
  } catch {
    return false
  }
}
