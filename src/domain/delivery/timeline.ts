import type { DeliveryEvent } from './delivery.ts'

/**
 * A delivery's events as they are read: in the order in which they were told, but carrier news that came too
 * late to move anything stands where it belongs by the carrier's time.
 */
export function asTimeline(told: readonly DeliveryEvent[]): DeliveryEvent[] {
  const timeline: DeliveryEvent[] = []
  for (const event of told) {
    const next =
      event.type === 'delivery.carrier_news' ? timeline.findIndex(({ atMs }) => atMs > event.atMs) : -1
    timeline.splice(next === -1 ? timeline.length : next, 0, event)
  }
  return timeline
}
