import { z } from 'zod'
import type { Status } from '../../../domain/delivery/status.ts'
import { carrierCode, entryOf, instantMs } from '../../kit/answer.ts'
import { errorClassifier } from '../../kit/error-classifier.ts'
import type { Booking, CarrierEvent, CarrierUpdates, Lodged, Outcome } from '../../port/carrier.ts'
import { yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'

/** Big Haul's scans. An unlisted scan changes no status and is stored as received. */
const SCANS: Readonly<Record<string, { status: Status | null; subStatus: string | null }>> = {
  ALLOCATED: { status: null, subStatus: null },
  PICKUP: { status: 'collected', subStatus: null },
  LINEHAUL: { status: 'collected', subStatus: 'in_transit' },
  'HELD AT DEPOT': { status: 'collected', subStatus: 'held' },
  'ON FOR DELIVERY': { status: 'collected', subStatus: 'out_for_delivery' },
  DAMAGED: { status: 'collected', subStatus: 'damaged' },
  REFUSED: { status: 'collected', subStatus: 'attempted' },
  POD: { status: 'delivered', subStatus: null },
  RTS: { status: 'pending_return', subStatus: null },
  RETURNED: { status: 'returned', subStatus: null },
  CANCELLED: { status: 'cancelled', subStatus: null },
}

const CANCELLED_BEFORE = 'ALREADY_CANCELLED'

/** They refuse with a 200 as well as with a 4xx. */
const reader = errorClassifier({
  errors: z
    .object({ Result: z.literal('FAIL'), Reason: z.string(), Message: z.string().default('') })
    .transform(({ Reason, Message }) => [{ code: Reason, field: null, message: Message }]),
  refusesInside2xx: true,
  adviceByCode: {
    NO_DEPOT: 'another_carrier',
    OVER_CAPACITY: 'another_carrier',
    BAD_REQUEST: 'nobody',
    NOT_FOUND: 'nobody',
    COLLECTED: 'nobody',
    [CANCELLED_BEFORE]: 'nobody',
    NO_RUN: 'nobody',
    UNKNOWN_CONNOTE: 'nobody',
    unauthorised: 'later',
    CLOSED: 'later',
  },
})

const Labels = z.array(z.object({ Ref: z.string(), Barcodes: z.array(carrierCode) }))
const Booked = z.object({
  Result: z.literal('OK'),
  ConNote: carrierCode,
  ChargeCents: z.int().nonnegative(),
  Labels,
})
const Manifested = z.object({
  Result: z.literal('OK'),
  ManifestNo: carrierCode,
  TotalCents: z.int().nonnegative(),
  ConNotes: z.array(z.object({ ConNote: carrierCode, Labels })),
})
const Scans = z.object({ Result: z.literal('OK'), Scans: z.array(z.unknown()) })
const Scan = z.object({ ConNote: carrierCode, Scan: carrierCode, When: instantMs })

export function parseBooking(response: CarrierResponse): Outcome<Booking> {
  return reader.readCreate(response, Booked, ({ ConNote, ChargeCents, Labels }) => ({
    consignmentNumber: ConNote,
    articles: articlesOf(Labels),
    costCents: ChargeCents,
  }))
}

export function parseManifest(response: CarrierResponse): Outcome<Lodged> {
  return reader.readCreate(response, Manifested, ({ ManifestNo, TotalCents, ConNotes }) => ({
    orderId: ManifestNo,
    costCents: TotalCents,
    articles: new Map(ConNotes.map(({ ConNote, Labels }) => [ConNote, articlesOf(Labels)])),
  }))
}

function articlesOf(labels: z.output<typeof Labels>): Booking['articles'] {
  return labels.map(({ Ref, Barcodes }) => ({ parcelReference: Ref, articleIds: Barcodes }))
}

/** Also a yes if it was cancelled before. */
export function parseCancel(response: CarrierResponse): Outcome<null> {
  if (reader.isRefused(response, CANCELLED_BEFORE)) return yes(null)
  return reader.read(response, z.object({ Result: z.literal('OK') }), () => null)
}

/** Tracking events of several connotes, parsed scan by scan. */
export function parseScans(response: CarrierResponse): Outcome<CarrierUpdates> {
  return reader.read(response, Scans, ({ Scans: raw }) => {
    const events = raw.flatMap((scan) => parseScan(scan) ?? [])
    return { events, unreadable: raw.length - events.length }
  })
}

/** Their scans have no ids: the same scan of a connote at the same time is the same event. */
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
    message: scan,
  }
}
