import { entryOf, excerpt } from '../../kit/answer.ts'
import { mergeParcelEvents, parcelsOfUpdate } from '../../kit/merge-parcel-events.ts'
import { partsOf } from '../../kit/split-shipment-refs.ts'
import type { CarrierEvent, News, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { NO_CHANGE } from '../../port/status-mapping.ts'
import { WORDS } from './refusals.ts'
import { type Consigned, type Parcel, SILENT, Tracked } from './schemas.ts'
import { SAYINGS, STATUSES } from './statuses.ts'

/** News of bookings, by the consignments that they became; one that they do not know has none, and is open. */
export function parseTracking(response: CarrierResponse, refs: readonly string[]): Outcome<News> {
  return WORDS.read(response, Tracked, ({ tracking_results: { good, unreadable } }) => {
    const known = new Map(good.map((one) => [one.id, one]))
    const events = refs.flatMap((ref) => {
      const parts = partsOf(ref).map(({ consignmentId }) => known.get(consignmentId) ?? SILENT)
      return mergeParcelEvents(parts.flatMap((part) => parcelsOf(ref, part)))
    })
    const told = good.flatMap(({ parcels, own }) => [...parcels, ...own])
    return { events, unreadable: told.reduce((sum, one) => sum + one.events.unreadable, unreadable) }
  })
}

function parcelsOf(ref: string, { parcels, own, delivered }: Consigned): CarrierEvent[][] {
  const told = (some: readonly Parcel[]) => some.map((parcel) => eventsOf(ref, parcel))
  return parcelsOfUpdate(told(parcels), told(own).flat(), delivered)
}

/** Newest first, as they come. Events tell no status, only words; the newest may be known by the parcel's too. */
function eventsOf(ref: string, { article_id, status, events }: Parcel): CarrierEvent[] {
  const sorted = events.good.toSorted((a, b) => b.date - a.date)
  return sorted.map(({ description, date, location }, index) => {
    const saying = SAYINGS.find(([words]) => words.test(description))?.[1]
    const meaning = saying ?? (index === 0 ? entryOf(STATUSES, status) : null) ?? NO_CHANGE
    // The same words were perhaps told before the status was: then they are news once more.
    const end = !saying && meaning.status === 'delivered' ? ` ${status}` : ''
    return {
      consignmentNumber: ref,
      eventId: excerpt(`${article_id} ${new Date(date).toISOString()} ${description}${end}`).slice(0, 200),
      atMs: date,
      ...meaning,
      said: excerpt(location ? `${description}, ${location}` : description),
    }
  })
}
