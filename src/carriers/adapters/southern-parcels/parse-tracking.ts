import { z } from 'zod'
import { carrierWord, entryOf, excerpt, instantMs } from '../../kit/answer.ts'
import type { CarrierEvent, News, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { WORDS } from './refusals.ts'
import { SCANS } from './statuses.ts'

const TrackingAnswer = z.object({ trackingResults: z.array(z.unknown()) })
const Result = z.object({ trackingId: carrierWord, events: z.array(z.unknown()) })
const Failed = z.object({ trackingId: z.string(), errors: z.array(z.unknown()) })
const Scan = z.object({
  eventId: carrierWord,
  code: carrierWord,
  description: z.string().optional(),
  date: instantMs,
})

/** Tracking events of several shipments, parsed event by event; an unknown shipment has no events. */
export function parseTracking(response: CarrierResponse): Outcome<News> {
  return WORDS.read(response, TrackingAnswer, ({ trackingResults }) => newsOf(trackingResults))
}

function newsOf(results: readonly unknown[]): News {
  const news: { events: CarrierEvent[]; unreadable: number } = { events: [], unreadable: 0 }
  for (const raw of results) {
    const result = Result.safeParse(raw)
    if (!result.success) {
      if (!Failed.safeParse(raw).success) news.unreadable += 1
      continue
    }
    for (const rawScan of result.data.events) {
      const scan = Scan.safeParse(rawScan)
      if (scan.success) news.events.push(eventOf(result.data.trackingId, scan.data))
      else news.unreadable += 1
    }
  }
  return news
}

function eventOf(consignmentNumber: string, scan: z.output<typeof Scan>): CarrierEvent {
  const meaning = entryOf(SCANS, scan.code)
  return {
    consignmentNumber,
    eventId: scan.eventId,
    atMs: scan.date,
    status: meaning?.status ?? null,
    subStatus: meaning?.subStatus ?? null,
    said: excerpt(scan.description ? `${scan.code}: ${scan.description}` : scan.code),
  }
}
