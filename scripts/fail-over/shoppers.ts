import { setTimeout as sleep } from 'node:timers/promises'
import { exampleDelivery, READY_AT } from '../example-delivery.ts'
import { tokenFrom } from '../rolling-upgrade/load.ts'

/** The shoppers' results. */
export type Shopping = {
  /** Reference → id of every create that returned 201, and when. */
  created: Map<string, { id: string; atMs: number }>
  /** Creates with an unknown outcome at first: no response, or 503. */
  unknownAtFirst: number
  /** Responses that a failover does not explain, and creates with two different responses. */
  wrong: string[]
}

const CALLERS = 8
const TIMEOUT_MS = 5_000
const PAUSE_MS = 100
/** The pause between two creates of one shopper. */
const THINK_MS = 60
const PATIENCE_MS = 90_000

/**
 * Creates continuously until `stopped`; a create with an unknown outcome is repeated under its idempotency
 * key until it is known.
 */
export async function goShopping(urls: readonly string[], stopped: AbortSignal): Promise<Shopping> {
  const token = await tokenFrom(urls[0] as string)
  const shopping: Shopping = { created: new Map(), unknownAtFirst: 0, wrong: [] }
  let turn = 0
  const create = async (reference: string): Promise<void> => {
    const endMs = performance.now() + PATIENCE_MS
    for (let tries = 1; performance.now() < endMs; tries += 1) {
      const url = urls[turn++ % urls.length] as string
      const answer = await fetch(`${url}/demo/deliveries`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': `key-${reference}`,
        },
        body: JSON.stringify(exampleDelivery(reference, READY_AT)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
        .then(async (response) => ({ status: response.status, body: (await response.json()) as Body }))
        .catch(() => null)
      if (answer?.status === 201) {
        shopping.created.set(reference, { id: answer.body.data?.id ?? '', atMs: performance.now() })
        return
      }
      const later = answer === null || answer.status === 503 || answer.body.code === 'idempotency_in_progress'
      if (!later) {
        shopping.wrong.push(`${reference}: ${answer.status} ${answer.body.code}`)
        return
      }
      if (tries === 1) shopping.unknownAtFirst += 1
      await sleep(PAUSE_MS)
    }
    shopping.wrong.push(`${reference} stayed unknown`)
  }
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let n = 1; !stopped.aborted; n += 1) {
        await create(`F-${caller}-${n}`)
        await sleep(THINK_MS)
      }
    }),
  )
  return shopping
}

type Body = { code?: string; data?: { id?: string } }
