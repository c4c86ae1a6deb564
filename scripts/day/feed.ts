import { type Api, good } from './client.ts'

/** The events that the account's feed has delivered so far. */
export type Feed = {
  /** Reads further; returns the number of events. */
  read(): Promise<number>
  /** When a delivery was delivered, account time; undefined if it was not. */
  deliveredAtMs: ReadonlyMap<string, number>
  /** The number of deliveries that are final. */
  ended(): number
}

const PAGE = 200
const ENDS = new Set(['delivered', 'returned', 'cancelled', 'on_hold'])

export function readFeed(ask: Api): Feed {
  const deliveredAtMs = new Map<string, number>()
  const statuses = new Map<string, string>()
  let after: string | null = null
  return {
    deliveredAtMs,
    ended: () => [...statuses.values()].filter((status) => ENDS.has(status)).length,
    async read() {
      for (let seen = 0; ; ) {
        const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`
        const { data, pagination } = good(await ask('GET', `/events?limit=${PAGE}${query}`), 'The feed')
        for (const { timestamp, type, data: update } of data) {
          if (!update.delivery_id) continue
          statuses.set(update.delivery_id, update.status)
          if (type === 'delivery.status_changed' && update.status === 'delivered' && update.previous_status) {
            deliveredAtMs.set(update.delivery_id, Date.parse(timestamp))
          }
        }
        seen += data.length
        after = pagination.next
        if (!pagination.has_more) return seen
      }
    },
  }
}
