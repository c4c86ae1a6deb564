import { setTimeout as sleep } from 'node:timers/promises'
import { QUOTE_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { type Ask, asker, type Reply } from '../../test/harness/http.ts'
import { exampleDelivery, READY_AT } from '../example-delivery.ts'
import { askDemo } from './member.ts'

export type Load = {
  answered: Record<string, number>
  /** Failures: 5xx, and requests without a response. */
  failed: string[]
  /** Requests that were not sent because the process no longer listened. They go to the next process, as proxies do. */
  askedAgain: number
  /** Creates that returned 201. */
  acknowledged: { reference: string; id: string }[]
}

const CALLERS = 8
const LOOK_EVERY_MS = 50

/**
 * Creates, gets and quotes without a pause, spread over the processes of `urls()` that report ready, until
 * `stopped`: like a load balancer with health checks.
 */
export async function runLoad(urls: () => readonly string[], stopped: AbortSignal): Promise<Load> {
  const load: Load = { answered: {}, failed: [], askedAgain: 0, acknowledged: [] }
  let ready: Ask[] = []
  const looking = (async () => {
    while (!stopped.aborted) {
      const looks = urls().map(async (url) => ((await isReady(asker(url))) ? asker(url) : []))
      ready = (await Promise.all(looks)).flat()
      await sleep(LOOK_EVERY_MS)
    }
  })()

  let turn = 0
  const balanced: Ask = async (line, call) => {
    for (;;) {
      const api = ready[turn++ % ready.length]
      if (!api) {
        await sleep(LOOK_EVERY_MS)
        continue
      }
      try {
        return await api(line, call)
      } catch (error) {
        if ((error as { code?: string }).code !== 'ECONNREFUSED') throw error
        load.askedAgain += 1
      }
    }
  }
  const demo = askDemo(balanced)
  const ask = async (name: string, line: string, body?: object): Promise<Reply | null> => {
    try {
      const reply = await demo(line, { body })
      const key = `${name} ${reply.status}`
      load.answered[key] = (load.answered[key] ?? 0) + 1
      if (reply.status >= 500) load.failed.push(`${key} ${reply.text}`)
      return reply
    } catch (error) {
      load.failed.push(`${name} ${(error as { code?: string }).code ?? error}`)
      return null
    }
  }
  const call = async (caller: number): Promise<void> => {
    for (let n = 0; !stopped.aborted; n++) {
      const reference = `U-${caller}-${n}`
      const made = await ask('create', 'POST /deliveries', exampleDelivery(reference, READY_AT))
      if (made?.status === 201) load.acknowledged.push({ reference, id: made.json.data.id })
      await ask('get', `GET /deliveries/${reference}`)
      await ask('quote', 'POST /deliveries/quote-next-available', QUOTE_EXAMPLE)
    }
  }
  await Promise.all([looking, ...Array.from({ length: CALLERS }, (_, caller) => call(caller))])
  return load
}

function isReady(ask: Ask): Promise<boolean> {
  return ask('GET /health/ready').then(
    ({ status }) => status === 200,
    () => false,
  )
}
