import { z } from 'zod'
import type { Status } from '../../../domain/delivery/status.ts'
import { carrierCode, entryOf, excerpt, instantMs } from '../../kit/answer.ts'
import type { CarrierEvent, CarrierUpdates, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { reader } from './refusals.ts'

/** Southern's scan codes. An unlisted code changes no status and is stored as received. */
const SCANS: Readonly<Record<string, { status: Status | null; subStatus: string | null }>> = {
  'MAN-0': { status: null, subStatus: null },
  'COL-1': { status: 'collected', subStatus: null },
  'TRN-1': { status: 'collected', subStatus: 'in_transit' },
  'TRN-5': { status: 'collected', subStatus: 'delayed' },
  'ONB-1': { status: 'collected', subStatus: 'out_for_delivery' },
  'EXC-2': { status: 'collected', subStatus: 'held' },
  'EXC-4': { status: 'collected', subStatus: 'damaged' },
  'EXC-7': { status: 'collected', subStatus: 'attempted' },
  'DLV-1': { status: 'delivered', subStatus: null },
  'RTS-1': { status: 'pending_return', subStatus: null },
  'RTS-9': { status: 'returned', subStatus: null },
  'CAN-1': { status: 'cancelled', subStatus: null },
}

const TrackingAnswer = z.object({ trackingResults: z.array(z.unknown()) })
const Result = z.object({ trackingId: carrierCode, events: z.array(z.unknown()) })
const Failed = z.object({ trackingId: z.string(), errors: z.array(z.unknown()) })
const Scan = z.object({
  eventId: carrierCode,
  code: carrierCode,
  description: z.string().optional(),
  date: instantMs,
})

/** Tracking events of several shipments, parsed event by event; an unknown shipment has no events. */
export function parseTracking(response: CarrierResponse): Outcome<CarrierUpdates> {
  return reader.read(response, TrackingAnswer, ({ trackingResults }) => updatesOf(trackingResults))
}

function updatesOf(results: readonly unknown[]): CarrierUpdates {
  const updates: { events: CarrierEvent[]; unreadable: number } = { events: [], unreadable: 0 }
  for (const raw of results) {
    const result = Result.safeParse(raw)
    if (!result.success) {
      if (!Failed.safeParse(raw).success) updates.unreadable += 1
      continue
    }
    for (const rawScan of result.data.events) {
      const scan = Scan.safeParse(rawScan)
      if (scan.success) updates.events.push(eventOf(result.data.trackingId, scan.data))
      else updates.unreadable += 1
    }
  }
  return updates
}

function eventOf(consignmentNumber: string, scan: z.output<typeof Scan>): CarrierEvent {
  const meaning = entryOf(SCANS, scan.code)
  return {
    consignmentNumber,
    eventId: scan.eventId,
    atMs: scan.date,
    status: meaning?.status ?? null,
    subStatus: meaning?.subStatus ?? null,
    message: excerpt(scan.description ? `${scan.code}: ${scan.description}` : scan.code),
  }
}
