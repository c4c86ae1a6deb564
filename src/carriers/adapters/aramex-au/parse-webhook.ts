import { entryOf, excerpt } from '../../kit/answer.ts'
import { mergeParcelEvents } from '../../kit/merge-parcel-events.ts'
import type { CarrierEvent, CarrierUpdates, Outcome } from '../../port/carrier.ts'
import { yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { type MappedStatus, NO_CHANGE, statusChange } from '../../port/status-mapping.ts'
import { WORDS } from './refusals.ts'
import { Scans } from './schemas.ts'

/**
 * `scanType`. The list is not published: integrators use these three. `P` is a pickup to some and "ready for
 * pickup" to others; either way Aramex has the parcel. Any other type changes no status and is stored as
 * received.
 */
const SCANS: Readonly<Record<string, MappedStatus>> = {
  P: statusChange('collected'),
  T: statusChange('collected', 'in_transit'),
  D: statusChange('delivered'),
}

/**
 * A delivery scan doesn't prove that the parcel was handed over. The texts are not published: these words are
 * from what integrators report.
 */
const NOT_TAKEN =
  /attempt|card left|calling card|closed|re-?deliver|refus|return|unable|unsuccess|could not|not (at )?(home|available|delivered)|incorrect address/i
const ATTEMPTED = statusChange('collected', 'attempted')

/** A label of a booking, and the response for it. */
export type Asked = { ref: string; label: string; response: CarrierResponse }

/**
 * Tracking events of bookings, label by label. A label that fails doesn't affect the others; if all fail, the
 * poll fails.
 */
export function parseWebhook(asked: readonly Asked[], wallMs: number): Outcome<CarrierUpdates> {
  const outcomes = asked.map((one) => ({ ...one, told: parseScans(one, wallMs) }))
  const silent = outcomes.find(({ told }) => told.kind !== 'yes')?.told
  if (silent && silent.kind !== 'yes' && outcomes.every(({ told }) => told.kind !== 'yes')) return silent
  const byRef = Map.groupBy(outcomes, ({ ref }) => ref)
  const updates = outcomes.flatMap(({ told }) => (told.kind === 'yes' ? [told.value] : []))
  return yes({
    events: [...byRef.values()].flatMap((labels) =>
      mergeParcelEvents(labels.map(({ told }) => (told.kind === 'yes' ? told.value.events : []))),
    ),
    unreadable: updates.reduce((sum, { unreadable }) => sum + unreadable, 0),
  })
}

function parseScans({ ref, label, response }: Asked, wallMs: number): Outcome<CarrierUpdates> {
  return WORDS.read(response, Scans, ({ good, unreadable }) => ({
    events: good.map((scan) => eventOf(ref, label, scan, wallMs)),
    unreadable,
  }))
}

function eventOf(ref: string, label: string, scan: Scans['good'][number], wallMs: number): CarrierEvent {
  const { scanType, scannedDateTime, status, franchiseName } = scan
  const words = scan.description || scan.scanTypeDescription || scanType
  const meaning = entryOf(SCANS, scanType) ?? NO_CHANGE
  const taken = meaning.status !== 'delivered' || !NOT_TAKEN.test(words)
  return {
    consignmentNumber: ref,
    eventId: excerpt([label, scannedDateTime, scanType, status ?? '', words].join(' ')).slice(0, 200),
    // A scan in Western Australian time that is parsed as eastern time would lie in the future.
    atMs: Math.min(scannedDateTime, wallMs),
    ...(taken ? meaning : ATTEMPTED),
    message: excerpt(franchiseName ? `${words}, ${franchiseName}` : words),
  }
}
