import type { CarrierEvent } from './carrier.ts'

/** News of a booking whose parcels are told of one by one: it is delivered, or back, when all of it is. */
export function wholeNews(parcels: readonly (readonly CarrierEvent[])[]): CarrierEvent[] {
  if (parcels.length < 2) return parcels.flat()
  const ends = parcels.flatMap((events) => events.find(isEnd) ?? [])
  const last = ends.length === parcels.length ? ends.reduce((a, b) => (b.atMs >= a.atMs ? b : a)) : null
  return parcels.flat().map((event) => {
    if (!isEnd(event)) return event
    // The same words twice: as news of one parcel, and as the end of all. A new id, or they would be known already.
    if (event === last) return { ...event, eventId: `${event.eventId} all` }
    const subStatus = event.status === 'delivered' ? 'partly_delivered' : 'partly_returned'
    return { ...event, status: 'collected', subStatus }
  })
}

function isEnd({ status }: CarrierEvent): boolean {
  return status === 'delivered' || status === 'returned'
}
