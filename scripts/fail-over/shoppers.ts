import { setTimeout as sleep } from 'node:timers/promises'
import { bookedOnce } from '../../test/harness/bookings.ts'
import type { CleanUps } from '../../test/harness/clean-ups.ts'
import { makeClient } from '../../test/harness/client.ts'
import { startCluster } from '../../test/harness/cluster.ts'
import { inTurn, under } from '../../test/harness/http.ts'
import { readSandboxLedger } from '../../test/harness/sandbox-ledger.ts'
import { exampleDelivery, READY_AT } from '../example-delivery.ts'
import { notBooked } from '../rolling-upgrade/not-booked.ts'

/** Half an hour before orders of `READY_AT` are ready, so that their booking is due at once and a worker does it. */
export const OPENS_AT = '2026-11-24T13:30:00+11:00'

const CALLERS = 8
/** The pause between two creates of one shopper. */
const THINK_MS = 60
const MAX_SHOWN = 10

type Shopping<Result> = {
  result: Result
  /** When each create was acknowledged, in order. */
  moments: readonly number[]
  /** Prints these figures and those of the shoppers; false if a write was lost or booked twice. */
  isProved(figures: Readonly<Record<string, string | number | null>>): Promise<boolean>
}

/**
 * Creates continuously at two api and two worker processes while the database fails over; a create with an unknown
 * outcome is repeated under its idempotency key until it is known.
 */
export async function shopDuring<Result>(
  cleanUps: CleanUps,
  databaseUrl: string,
  failOver: () => Promise<Result>,
): Promise<Shopping<Result>> {
  const cluster = await startCluster(cleanUps, databaseUrl, { workers: 2, opensAt: OPENS_AT })
  const demo = under('/demo', inTurn(cluster.apis))
  const client = makeClient({ asks: { demo }, canaryOf: null, timeoutMs: 5_000, pauseMs: 100 })
  let isOver = false
  const shop = async (caller: number): Promise<void> => {
    for (let n = 1; !isOver; n += 1) {
      const reference = `F-${caller}-${n}`
      const body = exampleDelivery(reference, READY_AT)
      const request = { account: 'demo', reference, body, key: `key-${reference}` } as const
      await client.ask('create', 'POST /deliveries', request)
      await sleep(THINK_MS)
    }
  }
  const shopping = Promise.all(Array.from({ length: CALLERS }, (_, caller) => shop(caller)))
  const result = await failOver()
  isOver = true
  client.limitRetries()
  await shopping

  const created = client.history.filter(({ outcome }) => outcome === 'ok')
  const refused = client.history.flatMap(({ outcome, reference, status, code }) =>
    outcome === 'ok' ? [] : [`${reference}: ${status} ${code}, ${outcome}`],
  )
  return {
    result,
    moments: created.map(({ toMs }) => toMs).sort((a, b) => a - b),
    async isProved(figures) {
      const missing = await notBooked(demo, created)
      const ledgerEntries = await readSandboxLedger(cluster.operate, 'demo')
      const doubled = bookedOnce({ ledgerEntries }).wrong
      const wrong = [...client.wrong, ...refused, ...cluster.ended]
      console.table({
        ...figures,
        'creates acknowledged': created.length,
        'outcomes unknown at first, all known at the end': client.history.filter(({ tries }) => tries > 1)
          .length,
        'acknowledged and missing, or not booked': missing.length,
        'double booked': doubled.length,
        'responses that the failover does not explain, and processes that ended': wrong.length,
      })
      const lines = [...missing, ...doubled, ...wrong]
      for (const line of lines.slice(0, MAX_SHOWN)) console.error(line)
      return lines.length === 0 && created.length > 0
    },
  }
}
