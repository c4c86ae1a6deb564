import { z } from 'zod'
import { carrierWord, entryOf, excerpt, instantMs, understood } from '../answer.ts'
import type { CarrierEvent, News, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { readReply } from './refusals.ts'
import { type Meaning, STATUSES, WORDS } from './statuses.ts'

const Answer = z.object({ tracking_results: z.array(z.unknown()) })
const Item = z.object({
  article_id: z.string().default(''),
  status: z.string().default(''),
  events: z.array(z.unknown()).default([]),
})
/** A parcel of its own, or the parcels of a consignment. */
const Trackable = z.union([
  z.object({ items: z.array(Item) }).transform(({ items }) => items),
  Item.transform((item) => [item]),
])
const Consignment = z.object({ status: z.string().default(''), events: z.array(z.unknown()).default([]) })
const Result = z.object({
  tracking_id: carrierWord,
  trackable_items: z.array(Trackable).default([]),
  // StarTrack's; seen as a list of one too.
  consignment: z.union([Consignment, z.array(Consignment).transform(([first]) => first)]).optional(),
})
const Failed = z.object({ tracking_id: z.string(), errors: z.array(z.unknown()).min(1) })
const Event = z.object({ description: z.string().min(1), date: instantMs, location: z.string().optional() })

type Parcel = { id: string; status: string; events: readonly z.output<typeof Event>[] }

/** News by consignment id, read event by event; one that they do not know has none. */
export function parseTracking(
  response: CarrierResponse,
): Outcome<{ parcels: ReadonlyMap<string, Parcel[]>; unreadable: number }> {
  return readReply(response, ({ body }) =>
    understood(Answer, body, ({ tracking_results }) => {
      const parcels = new Map<string, Parcel[]>()
      let unreadable = 0
      for (const raw of tracking_results) {
        const result = Result.safeParse(raw).data
        if (!result || Failed.safeParse(raw).success) {
          if (!Failed.safeParse(raw).success) unreadable += 1
          continue
        }
        const items = result.trackable_items.flat()
        const { consignment } = result
        const told =
          items.length > 0 ? items : consignment ? [{ article_id: result.tracking_id, ...consignment }] : []
        parcels.set(
          result.tracking_id,
          told.map(({ article_id, status, events }) => {
            const read = events.flatMap((event) => Event.safeParse(event).data ?? [])
            unreadable += events.length - read.length
            return { id: article_id, status, events: read }
          }),
        )
      }
      return { parcels, unreadable }
    }),
  )
}

/** What the parcels of one booking have to tell. It is delivered, or back, when all of it is. */
export function newsOf(ref: string, parcels: readonly Parcel[]): News['events'] {
  const read = parcels.map((parcel) => eventsOf(ref, parcel))
  if (read.length < 2) return read.flat()
  const ends = read.map((events) => events.find(({ status }) => isEnd(status)))
  const last = ends.every(Boolean) ? ends.reduce((a, b) => (b!.atMs >= a!.atMs ? b : a))! : null
  return read.flat().map((event) => {
    if (!isEnd(event.status)) return event
    // The same words twice: as news of one parcel, and as the end of all. A new id, or they would be known already.
    return event === last
      ? { ...event, eventId: `${event.eventId} all` }
      : {
          ...event,
          status: 'collected',
          subStatus: event.status === 'delivered' ? 'partly_delivered' : 'partly_returned',
        }
  })
}

function isEnd(status: CarrierEvent['status']): boolean {
  return status === 'delivered' || status === 'returned'
}

/** Newest first, as they come. Only the newest may be known by the parcel's status. */
function eventsOf(ref: string, { id, status, events }: Parcel): CarrierEvent[] {
  const sorted = [...events].sort((a, b) => b.date - a.date)
  return sorted.map(({ description, date, location }, index) => {
    const meaning = meaningOf(description) ?? (index === 0 ? entryOf(STATUSES, status.toLowerCase()) : null)
    return {
      consignmentNumber: ref,
      eventId: excerpt(`${id} ${new Date(date).toISOString()} ${description}`).slice(0, 200),
      atMs: date,
      status: meaning?.status ?? null,
      subStatus: meaning?.subStatus ?? null,
      said: excerpt(location ? `${description}, ${location}` : description),
    }
  })
}

function meaningOf(description: string): Meaning | null {
  return WORDS.find(([words]) => words.test(description))?.[1] ?? null
}
