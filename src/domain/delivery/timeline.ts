import type { DeliveryEvent } from './delivery.ts'
import type { TrackingUpdate } from './tracking-updates.ts'

/**
 * Sorts a delivery's events for reading, oldest first. Transitions keep the order in which they were
 * recorded, because each follows from the one before. An event that changes no status is placed by its own
 * time, after the booking that it belongs to.
 */
export function asTimeline<E extends DeliveryEvent>(events: readonly E[]): E[] {
  const timeline: E[] = []
  for (const event of events) {
    const after = timeline.findLastIndex(({ to }) => (event.to === null ? to === 'booked' : to !== null))
    const next = timeline.findIndex(({ atMs }, index) => index > after && atMs > event.atMs)
    timeline.splice(next === -1 ? timeline.length : next, 0, event)
  }
  return timeline
}

/** A tracking update as received: `atMs` is the carrier's own time, `arrivedAtMs` is ours. */
export type CarrierUpdate = TrackingUpdate & { arrivedAtMs: number }

/** `arrivedAtMs`: when we received it, if it is from a carrier. `again`: a duplicate of an earlier update. */
export type TimelineEvent = DeliveryEvent & { arrivedAtMs: number | null; isRepeat: boolean }

/** Events in recorded order, each with the time when it was received; `updates` is in the order of receipt. */
export function withArrivals(
  events: readonly DeliveryEvent[],
  updates: readonly CarrierUpdate[],
): TimelineEvent[] {
  const arrivals = Map.groupBy(updates, ({ atMs, message }) => toKey(atMs, message))
  const counts = new Map<string, number>()
  return events.map((event) => {
    if (event.source !== 'carrier') return { ...event, arrivedAtMs: null, isRepeat: false }
    const key = toKey(event.atMs, event.detail)
    const before = counts.get(key)
    // One update may take several steps; a duplicate changes nothing.
    const count = before === undefined ? 0 : before + (event.type === 'delivery.carrier_update' ? 1 : 0)
    counts.set(key, count)
    const arrivedAtMs = arrivals.get(key)?.at(count)?.arrivedAtMs ?? null
    return { ...event, arrivedAtMs, isRepeat: count > 0 }
  })
}

function toKey(atMs: number, message: string | null): string {
  return `${atMs} ${message}`
}
