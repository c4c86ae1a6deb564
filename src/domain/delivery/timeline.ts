import type { DeliveryEvent } from './delivery.ts'
import type { TrackingUpdate } from './tracking-updates.ts'

/**
 * A delivery's events as they are read, oldest first: steps in the order in which they were told, for each follows from
 * the one before it; what moves nothing stands where it belongs by its own time, after the booking that it is told of.
 */
export function asTimeline<E extends DeliveryEvent>(told: readonly E[]): E[] {
  const timeline: E[] = []
  for (const event of told) {
    const after = timeline.findLastIndex(({ to }) => (event.to === null ? to === 'booked' : to !== null))
    const next = timeline.findIndex(({ atMs }, index) => index > after && atMs > event.atMs)
    timeline.splice(next === -1 ? timeline.length : next, 0, event)
  }
  return timeline
}

/** A piece of news as it came: `atMs` is the carrier's own time, `arrivedAtMs` ours. */
export type CarrierNews = TrackingUpdate & { arrivedAtMs: number }

/** `arrivedAtMs`: when we heard of it, where a carrier told it. `again`: it had told the very same before. */
export type TimelineEvent = DeliveryEvent & { arrivedAtMs: number | null; again: boolean }

/** What was told, in the order in which it was, with when it came; `news` in the order in which it came. */
export function withArrivals(told: readonly DeliveryEvent[], news: readonly CarrierNews[]): TimelineEvent[] {
  const arrivals = Map.groupBy(news, ({ atMs, said }) => sameness(atMs, said))
  const tellings = new Map<string, number>()
  return told.map((event) => {
    if (event.source !== 'carrier') return { ...event, arrivedAtMs: null, again: false }
    const key = sameness(event.atMs, event.detail)
    const before = tellings.get(key)
    // One piece of news may walk several steps; what is told again moves nothing.
    const telling = before === undefined ? 0 : before + (event.type === 'delivery.carrier_news' ? 1 : 0)
    tellings.set(key, telling)
    const arrivedAtMs = arrivals.get(key)?.at(telling)?.arrivedAtMs ?? null
    return { ...event, arrivedAtMs, again: telling > 0 }
  })
}

function sameness(atMs: number, said: string | null): string {
  return `${atMs} ${said}`
}
