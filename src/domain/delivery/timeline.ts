import type { DeliveryEvent } from './delivery.ts'

/**
 * A delivery's events as they are read, oldest first: steps in the order in which they were told, for each follows from
 * the one before it; what moves nothing stands where it belongs by its own time, after the booking that it is told of.
 */
export function asTimeline(told: readonly DeliveryEvent[]): DeliveryEvent[] {
  const timeline: DeliveryEvent[] = []
  for (const event of told) {
    const after = timeline.findLastIndex(({ to }) => (event.to === null ? to === 'booked' : to !== null))
    const next = timeline.findIndex(({ atMs }, index) => index > after && atMs > event.atMs)
    timeline.splice(next === -1 ? timeline.length : next, 0, event)
  }
  return timeline
}
