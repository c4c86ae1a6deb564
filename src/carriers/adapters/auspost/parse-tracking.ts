import { entryOf, excerpt } from '../../kit/answer.ts'
import { mergeParcelEvents, parcelsOfUpdate } from '../../kit/merge-parcel-events.ts'
import { partsOf } from '../../kit/split-shipment-refs.ts'
import type { CarrierEvent, CarrierUpdates, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { NO_CHANGE } from '../../port/status-mapping.ts'
import { reader } from './refusals.ts'
import { type Consigned, type Parcel, SILENT, Tracked } from './schemas.ts'
import { STATUS_PATTERNS, STATUSES } from './statuses.ts'

/**
 * Tracking events of bookings, by the consignments that they became; an unknown consignment has no events and
 * stays open.
 */
export function parseTracking(response: CarrierResponse, refs: readonly string[]): Outcome<CarrierUpdates> {
  return reader.read(response, Tracked, ({ tracking_results: { good, unreadable } }) => {
    const byId = new Map(good.map((one) => [one.id, one]))
    const events = refs.flatMap((ref) => {
      const parts = partsOf(ref).map(({ consignmentId }) => byId.get(consignmentId) ?? SILENT)
      return mergeParcelEvents(parts.flatMap((part) => parcelsOf(ref, part)))
    })
    const trackables = good.flatMap(({ parcels, own }) => [...parcels, ...own])
    return { events, unreadable: trackables.reduce((sum, one) => sum + one.events.unreadable, unreadable) }
  })
}

function parcelsOf(ref: string, { parcels, own, delivered }: Consigned): CarrierEvent[][] {
  const eventsOfEach = (some: readonly Parcel[]) => some.map((parcel) => eventsOf(ref, parcel))
  return parcelsOfUpdate(eventsOfEach(parcels), eventsOfEach(own).flat(), delivered)
}

/**
 * Newest first, as the API returns them. Events have a text but no status; the newest may also take the
 * parcel's status.
 */
function eventsOf(ref: string, { article_id, status, events }: Parcel): CarrierEvent[] {
  const sorted = events.good.toSorted((a, b) => b.date - a.date)
  return sorted.map(({ description, date, location }, index) => {
    const match = STATUS_PATTERNS.find(([pattern]) => pattern.test(description))?.[1]
    const meaning = match ?? (index === 0 ? entryOf(STATUSES, status) : null) ?? NO_CHANGE
    // The same event may have been stored before the parcel's status was known, so with the status it gets a
    // new id.
    const end = !match && meaning.status === 'delivered' ? ` ${status}` : ''
    return {
      consignmentNumber: ref,
      eventId: excerpt(`${article_id} ${new Date(date).toISOString()} ${description}${end}`).slice(0, 200),
      atMs: date,
      ...meaning,
      message: excerpt(location ? `${description}, ${location}` : description),
    }
  })
}
