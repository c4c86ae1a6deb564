import { entryOf, excerpt } from '../answer.ts'
import type { CarrierEvent, News, Outcome } from '../carrier.ts'
import { NOTHING } from '../meaning.ts'
import { wholeNews } from '../parcel-news.ts'
import { partsOf } from '../part-refs.ts'
import type { CarrierResponse } from '../send.ts'
import { WORDS } from './refusals.ts'
import { type Parcel, Tracked } from './schemas.ts'
import { SAYINGS, STATUSES } from './statuses.ts'

/** News of bookings, by the consignments that they became; one that they do not know has none. */
export function parseTracking(response: CarrierResponse, refs: readonly string[]): Outcome<News> {
  return WORDS.read(response, Tracked, ({ tracking_results: { good, unreadable } }) => {
    const known = new Map(good.map(({ id, parcels }) => [id, parcels]))
    const events = refs.flatMap((ref) => {
      const parcels = partsOf(ref).flatMap(({ consignmentId }) => known.get(consignmentId) ?? [])
      return wholeNews(parcels.map((parcel) => eventsOf(ref, parcel)))
    })
    const odd = good.flatMap(({ parcels }) => parcels.map((parcel) => parcel.events.unreadable))
    return { events, unreadable: odd.reduce((sum, more) => sum + more, unreadable) }
  })
}

/** Newest first, as they come. Events tell no status, only words; the newest may be known by the parcel's too. */
function eventsOf(ref: string, { article_id, status, events }: Parcel): CarrierEvent[] {
  const sorted = events.good.toSorted((a, b) => b.date - a.date)
  return sorted.map(({ description, date, location }, index) => {
    const saying = SAYINGS.find(([words]) => words.test(description))?.[1]
    const meaning = saying ?? (index === 0 ? entryOf(STATUSES, status) : null) ?? NOTHING
    return {
      consignmentNumber: ref,
      eventId: excerpt(`${article_id} ${new Date(date).toISOString()} ${description}`).slice(0, 200),
      atMs: date,
      ...meaning,
      said: excerpt(location ? `${description}, ${location}` : description),
    }
  })
}
