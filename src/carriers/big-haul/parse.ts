import { z } from 'zod'
import { carrierWord, entryOf, excerpt, instantMs, readAnswer, understood } from '../answer.ts'
import type { Booking, CarrierEvent, Cure, Lodged, News, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { SCANS } from './statuses.ts'

const Failed = z.object({ Result: z.literal('FAIL'), Reason: z.string(), Message: z.string().default('') })
const Labels = z.array(z.object({ Ref: z.string(), Barcodes: z.array(carrierWord) }))
const Booked = z.object({
  Result: z.literal('OK'),
  ConNote: carrierWord,
  ChargeCents: z.int().nonnegative(),
  Labels,
})
const Manifested = z.object({
  Result: z.literal('OK'),
  ManifestNo: carrierWord,
  TotalCents: z.int().nonnegative(),
  ConNotes: z.array(z.object({ ConNote: carrierWord, Labels })),
})
const Scans = z.object({ Result: z.literal('OK'), Scans: z.array(z.unknown()) })
const Scan = z.object({ ConNote: carrierWord, Scan: carrierWord, When: instantMs })

/** Whom a refusal leaves hope for, by Big Haul's reason; any other is ours to mend. */
const CURES: Readonly<Record<string, Cure>> = {
  NO_DEPOT: 'another_carrier',
  OVER_CAPACITY: 'another_carrier',
  unauthorised: 'later',
  CLOSED: 'later',
}

export function parseBooking(response: CarrierResponse): Outcome<Booking> {
  return readAnswer(response, ({ status, body }) => {
    const failed = refusal(status, body)
    if (failed?.reason === null) return { kind: 'unknown', said: failed.said }
    if (failed) return { kind: 'no', cure: entryOf(CURES, failed.reason) ?? 'nobody', said: failed.said }
    return understood(Booked, body, ({ ConNote, ChargeCents, Labels }) => ({
      consignmentNumber: ConNote,
      articles: articlesOf(Labels),
      costCents: ChargeCents,
    }))
  })
}

export function parseManifest(response: CarrierResponse): Outcome<Lodged> {
  return readAnswer(response, ({ status, body }) => {
    const failed = refusal(status, body)
    if (failed?.reason === null) return { kind: 'unknown', said: failed.said }
    if (failed) {
      return { kind: 'no', cure: entryOf(CURES, failed.reason) ?? 'nobody', said: failed.said }
    }
    return understood(Manifested, body, ({ ManifestNo, TotalCents, ConNotes }) => ({
      orderId: ManifestNo,
      costCents: TotalCents,
      articles: new Map(ConNotes.map(({ ConNote, Labels }) => [ConNote, articlesOf(Labels)])),
    }))
  })
}

function articlesOf(labels: z.output<typeof Labels>): Booking['articles'] {
  return labels.map(({ Ref, Barcodes }) => ({ parcelReference: Ref, articleIds: Barcodes }))
}

/** Yes too when it was cancelled before. */
export function parseCancel(response: CarrierResponse): Outcome<null> {
  return readAnswer(response, ({ status, body }) => {
    const failed = refusal(status, body)
    if (failed?.reason === 'ALREADY_CANCELLED') return { kind: 'yes', value: null }
    if (failed?.reason === null) return { kind: 'unknown', said: failed.said }
    if (failed) {
      return { kind: 'no', cure: failed.reason === 'unauthorised' ? 'later' : 'nobody', said: failed.said }
    }
    return understood(z.object({ Result: z.literal('OK') }), body, () => null)
  })
}

/** News of several connotes, read scan by scan. */
export function parseScans(response: CarrierResponse): Outcome<News> {
  return readAnswer(response, ({ status, body }) => {
    const failed = refusal(status, body)
    if (failed) return { kind: 'no', cure: 'later', said: failed.said }
    return understood(Scans, body, ({ Scans: raw }) => {
      const events = raw.flatMap((scan) => parseScan(scan) ?? [])
      return { events, unreadable: raw.length - events.length }
    })
  })
}

/** Their scans have no ids: the same scan of a connote at the same moment is the same event. */
function parseScan(raw: unknown): CarrierEvent | null {
  const parsed = Scan.safeParse(raw)
  if (!parsed.success) return null
  const { ConNote, Scan: scan, When } = parsed.data
  const meaning = entryOf(SCANS, scan)
  return {
    consignmentNumber: ConNote,
    eventId: `${ConNote} ${scan} ${When}`,
    atMs: When,
    status: meaning?.status ?? null,
    subStatus: meaning?.subStatus ?? null,
    said: scan,
  }
}

/**
 * They say no inside a 200 as well as with a 4xx; null: it was no refusal. Null reason: a 4xx that is not in
 * Big Haul's words, so somebody on the way said it.
 */
function refusal(status: number, body: unknown): { reason: string | null; said: string } | null {
  const parsed = Failed.safeParse(body)
  if (parsed.success) {
    const { Reason, Message } = parsed.data
    return { reason: Reason, said: excerpt(`${Reason}: ${Message}`) }
  }
  return status >= 400 ? { reason: null, said: excerpt(body) } : null
}
