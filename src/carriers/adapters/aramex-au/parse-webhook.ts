import { entryOf, excerpt } from '../../kit/answer.ts'
import { mergeParcelEvents } from '../../kit/merge-parcel-events.ts'
import type { CarrierEvent, CarrierUpdates, Outcome } from '../../port/carrier.ts'
import { yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { type MappedStatus, NO_CHANGE, statusChange } from '../../port/status-mapping.ts'
import { reader } from './refusals.ts'
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
const NOT_DELIVERED =
  /attempt|card left|calling card|closed|re-?deliver|refus|return|unable|unsuccess|could not|not (at )?(home|available|delivered)|incorrect address/i
const ATTEMPTED = statusChange('collected', 'attempted')

/** A label of a booking, and the response for it. */
export type LabelResponse = { ref: string; label: string; response: CarrierResponse }

/**
 * Tracking events of bookings, label by label. A label that fails doesn't affect the others; if all fail, the
 * poll fails.
 */
export function parseWebhook(responses: readonly LabelResponse[], wallMs: number): Outcome<CarrierUpdates> {
  const outcomes = responses.map((one) => ({ ...one, outcome: parseScans(one, wallMs) }))
  const failure = outcomes.find(({ outcome }) => outcome.kind !== 'yes')?.outcome
  if (failure && failure.kind !== 'yes' && outcomes.every(({ outcome }) => outcome.kind !== 'yes'))
    return failure
  const byRef = Map.groupBy(outcomes, ({ ref }) => ref)
  const updates = outcomes.flatMap(({ outcome }) => (outcome.kind === 'yes' ? [outcome.value] : []))
  return yes({
    events: [...byRef.values()].flatMap((labels) =>
      mergeParcelEvents(labels.map(({ outcome }) => (outcome.kind === 'yes' ? outcome.value.events : []))),
    ),
    unreadable: updates.reduce((sum, { unreadable }) => sum + unreadable, 0),
  })
}

function parseScans({ ref, label, response }: LabelResponse, wallMs: number): Outcome<CarrierUpdates> {
  return reader.read(response, Scans, ({ good, unreadable }) => ({
    events: good.map((scan) => eventOf(ref, label, scan, wallMs)),
    unreadable,
  }))
}

function eventOf(ref: string, label: string, scan: Scans['good'][number], wallMs: number): CarrierEvent {
  const { scanType, scannedDateTime, status, franchiseName } = scan
  const text = scan.description || scan.scanTypeDescription || scanType
  const meaning = entryOf(SCANS, scanType) ?? NO_CHANGE
  const isConfirmed = meaning.status !== 'delivered' || !NOT_DELIVERED.test(text)
  return {
    consignmentNumber: ref,
    eventId: excerpt([label, scannedDateTime, scanType, status ?? '', text].join(' ')).slice(0, 200),
    // A scan in Western Australian time that is parsed as eastern time would lie in the future.
    atMs: Math.min(scannedDateTime, wallMs),
    ...(isConfirmed ? meaning : ATTEMPTED),
    message: excerpt(franchiseName ? `${text}, ${franchiseName}` : text),
  }
}
