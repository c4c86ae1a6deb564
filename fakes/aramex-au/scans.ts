import { z } from 'zod'
import { controlRoute } from '../control-route.ts'
import type { FakeAnswer, FakeRequest, FakeRoute } from '../fake.ts'
import type { AramexState, Scan, StoredConsignment, StoredItem } from './state.ts'

const HOUR_MS = 3_600_000

type Step = Omit<Scan, 'atMs'> & { afterMs: number }
/**
 * The scans of an ordinary parcel. Types D, P and T are in use; the descriptions and three-letter codes are
 * made up.
 */
const JOURNEY: readonly Step[] = [
  {
    afterMs: 4 * HOUR_MS,
    type: 'P',
    typeText: 'Pickup',
    text: 'Parcel picked up from sender',
    status: 'PUP',
  },
  { afterMs: 12 * HOUR_MS, type: 'T', typeText: 'Transit', text: 'Parcel at depot', status: 'DEP' },
  { afterMs: 30 * HOUR_MS, type: 'D', typeText: 'Delivery', text: 'Signature obtained', status: 'SIG' },
]

/** From here on the clock moves it, unless it is deleted first. */
export function startScanSchedule({ schedule, server }: AramexState, consignment: StoredConsignment): void {
  for (const { afterMs, ...step } of JOURNEY) {
    schedule.at(consignment.createdMs + afterMs, (atMs) => {
      if (consignment.deleted) return
      for (const item of consignment.items) item.scans.push({ ...step, atMs })
      if (step.type === 'D') server.ledger.write('consignment_delivered', { con_id: consignment.conId })
    })
  }
}

/** Oldest first; empty for a label without scans, or an unknown label. */
export function track({ labels }: AramexState, { params }: FakeRequest): FakeAnswer {
  const item = labels.get(params.label ?? '')
  return { status: 200, body: { data: item ? item.scans.map((scan) => toJson(item, scan)) : [] } }
}

const SCAN = z.strictObject({
  label: z.string(),
  scan_type: z.string().min(1),
  description: z.string().default(''),
  status: z.string().default('HND'),
})

/** `POST /_fake/scans`: adds a scan at the fake's time. */
export function scanControl({ labels, server }: AramexState): FakeRoute {
  return controlRoute('/_fake/scans', SCAN, ({ label, scan_type: type, description: text, status }) => {
    const item = labels.get(label)
    if (!item) return { status: 404, body: { error: `There is no label ${label}.` } }
    item.scans.push({ type, typeText: 'By hand', text, status, atMs: server.clock.nowMs() })
    return undefined
  })
}

function toJson({ label }: StoredItem, { type, typeText, text, status, atMs }: Scan) {
  return {
    labelNo: label,
    scanType: type,
    scanTypeDescription: typeText,
    description: text,
    scannedDateTime: sydneyTime(atMs),
    status,
    courierNo: 12,
    franchiseCode: 'SYD',
    franchiseName: 'Sydney',
  }
}

const SYDNEY = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Australia/Sydney',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** A wall clock without an offset, as .NET writes one. */
function sydneyTime(atMs: number): string {
  return SYDNEY.format(atMs).replace(' ', 'T')
}
