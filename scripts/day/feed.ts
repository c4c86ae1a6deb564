import { type Ask, pagesAfter } from '../../test/harness/http.ts'

/** The events that the account's feed has delivered so far. */
export type Feed = {
  /** Reads further; returns the number of events. */
  read(): Promise<number>
  /** When a delivery was delivered, account time; undefined if it was not. */
  deliveredAtMs: ReadonlyMap<string, number>
  /** The number of deliveries that are final. */
  ended(): number
}

const ENDS = new Set(['delivered', 'returned', 'cancelled', 'on_hold'])

export function readFeed(ask: Ask): Feed {
  const deliveredAtMs = new Map<string, number>()
  const statuses = new Map<string, string>()
  let after: string | null = null
  return {
    deliveredAtMs,
    ended: () => [...statuses.values()].filter((status) => ENDS.has(status)).length,
    async read() {
      const { all, next }: Awaited<ReturnType<typeof pagesAfter>> = await pagesAfter(ask, '/events', after)
      after = next
      for (const { timestamp, type, data: update } of all) {
        if (!update.delivery_id) continue
        statuses.set(update.delivery_id, update.status)
        if (type === 'delivery.status_changed' && update.status === 'delivered' && update.previous_status) {
          deliveredAtMs.set(update.delivery_id, Date.parse(timestamp))
        }
      }
      return all.length
    },
  }
}
