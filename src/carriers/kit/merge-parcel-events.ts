import type { CarrierEvent } from '../port/carrier.ts'

/** News of a booking whose parcels are told of one by one: it is delivered, or back, when all of it is. */
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
 * The parcels of a consignment that speaks for itself beside them, as one where its own end is that of all.
 * `delivered`: how much of it is, by its own word; without one, some of it where several are told of.
 */
export function parcelsOfUpdate(
  parcels: readonly CarrierEvent[][],
  own: readonly CarrierEvent[],
  delivered: 'all' | 'some' | null,
): CarrierEvent[][] {
  const told = [...own, ...parcels.flat()]
  if (delivered === 'some') return [told.map(partOf)]
  if (parcels.length < 2) return [told]
  const end = own.find((event) => isEnd(event) && (delivered === 'all' || event.status === 'returned'))
  const rest = own.filter((event) => event !== end).map(partOf)
  if (!end) return [[...rest, ...parcels[0]!], ...parcels.slice(1)]
  return [[endOfAll(end), ...rest, ...parcels.flat().map(partOf)]]
}

/** The same words twice: as news of one parcel, and as the end of all. A new id, or they would be known already. */
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
