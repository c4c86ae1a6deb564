import type { CarrierEvent } from '../port/carrier.ts'

/**
 * Merges the events of a booking whose parcels are tracked one by one: the booking is delivered, or returned,
 * when all its parcels are.
 */
export function mergeParcelEvents(parcels: readonly (readonly CarrierEvent[])[]): CarrierEvent[] {
  if (parcels.length < 2) return parcels.flat()
  const ends = parcels.flatMap((events) => events.find(isEnd) ?? [])
  const last = ends.length === parcels.length ? ends.reduce((a, b) => (b.atMs >= a.atMs ? b : a)) : null
  return parcels.flat().map((event) => {
    if (!isEnd(event)) return event
    return event === last ? endOfAll(event) : partOf(event)
  })
}

/**
 * Adds a consignment's own events to those of its parcels, as one more parcel if the consignment's final
 * event covers all of them. `delivered`: how much is delivered, in the consignment's own words; without it, a
 * part if several parcels are tracked.
 */
export function parcelsOfUpdate(
  parcels: readonly CarrierEvent[][],
  own: readonly CarrierEvent[],
  delivered: 'all' | 'some' | null,
): CarrierEvent[][] {
  const events = [...own, ...parcels.flat()]
  if (delivered === 'some') return [events.map(partOf)]
  if (parcels.length < 2) return [events]
  const end = own.find((event) => isEnd(event) && (delivered === 'all' || event.status === 'returned'))
  const rest = own.filter((event) => event !== end).map(partOf)
  if (!end) return [[...rest, ...parcels[0]!], ...parcels.slice(1)]
  return [[endOfAll(end), ...rest, ...parcels.flat().map(partOf)]]
}

/**
 * The same event twice: of one parcel, and as the final event of all. The second needs a new id, or it would
 * count as a duplicate.
 */
function endOfAll(event: CarrierEvent): CarrierEvent {
  return { ...event, eventId: `${event.eventId} all` }
}

function partOf(event: CarrierEvent): CarrierEvent {
  if (!isEnd(event)) return event
  const subStatus = event.status === 'delivered' ? 'partly_delivered' : 'partly_returned'
  return { ...event, status: 'collected', subStatus }
}

function isEnd({ status }: CarrierEvent): boolean {
  return status === 'delivered' || status === 'returned'
}
