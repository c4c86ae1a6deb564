import { z } from 'zod'
import type { CarrierRate } from '../../../domain/quoting/carrier-rate.ts'
import { statusOf } from '../../kit/answer.ts'
import { isWhole } from '../../kit/label-poller.ts'
import type { Page } from '../../kit/paged-search.ts'
import { oneRate } from '../../kit/rates.ts'
import { articlesOf, unitsOf } from '../../kit/units.ts'
import type { Booking, Consignment, Outcome } from '../../port/carrier.ts'
import { retryLater, yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { NOT_FOUND, reader } from './refusals.ts'
import { Consigned, ConsignmentState, Listed, Quote, Reasons } from './schemas.ts'

/** A consignment with one label per unit; any other number of labels doesn't answer our request. */
export function parseBooking(
  response: CarrierResponse,
  { parcels }: Pick<Consignment, 'parcels'>,
): Outcome<Booking> {
  const references = unitsOf(parcels).map(({ reference }) => reference)
  const whole = Consigned.refine(
    ({ items }) =>
      items.length === references.length &&
      references.every((one) => items.some(({ reference }) => reference === one)),
  )
  return reader.readCreate(response, whole, ({ conId, total, items }) => {
    const units = items.map(({ label, reference }) => ({ reference, articleId: label }))
    const articles = articlesOf(parcels, units)
    const labels = articles.flatMap(({ articleIds }) => articleIds)
    return { consignmentNumber: labels[0]!, carrierRef: refOf(conId, labels), articles, costCents: total }
  })
}

/** The entry with our key on a page of a listing: if there are several, the one that was made first. */
export function parsePage(response: CarrierResponse, key: string): Outcome<Page<number>> {
  return reader.read(response, Listed, ({ good, unreadable }) => {
    const ours = good.filter(({ externalRef1 }) => externalRef1 === key).map(({ conId }) => conId)
    const length = good.length + unreadable
    return { ours: ours.length > 0 ? Math.min(...ours) : null, length, more: length > 0, unreadable }
  })
}

/** Their prices have no expiry, so we choose how long to keep one. */
const VALID_MS = 10 * 60_000

/** Incl. GST. */
export function parseQuote(
  response: CarrierResponse,
  carrierCode: string,
  wallMs: number,
): Outcome<CarrierRate> {
  const rest = { expiresAtMs: wallMs + VALID_MS, quoteId: null, window: null }
  return reader.read(
    response,
    Quote,
    ({ total }) => oneRate([carrierCode], { priceCents: total, ...rest })[0]!,
  )
}

/** The ids of reasons for deletion, at least one. */
export function parseReasons(response: CarrierResponse): Outcome<readonly number[]> {
  return reader.read(response, Reasons, (reasons) => reasons.map(({ id }) => id))
}

export function parseDeleted(response: CarrierResponse): Outcome<null> {
  return reader.read(response, z.unknown(), () => null)
}

/**
 * Whether a consignment exists. They don't publish how they report a deleted one, so all three known forms
 * count.
 */
export function parseBookingState(response: CarrierResponse): Outcome<boolean> {
  if (reader.isRefused(response, NOT_FOUND)) return yes(false)
  const outcome = reader.readOrNone(response, ConsignmentState, (one) => one)
  return outcome.kind === 'yes' ? yes(outcome.value !== null) : outcome
}

export function parseLabels(response: CarrierResponse): Outcome<Buffer> {
  const Whole = z.instanceof(Buffer).refine((bytes) => isWhole(bytes, 'pdf'))
  const labels = reader.read(response, Whole, (bytes) => bytes)
  if (labels.kind !== 'unknown') return labels
  return retryLater(statusOf(response) === 200 ? 'its labels are incomplete' : labels.message)
}

/** Our ref of a booking: their consignment id, and the labels that track it. */
export function refOf(conId: number, labels: readonly string[]): string {
  return `${conId}/${labels.join('+')}`
}

/** Null if the ref can't be theirs. */
export function partsOf(ref: string): { conId: string; labels: readonly string[] } | null {
  const [, conId, labels] = /^(\d+)\/([A-Z0-9]+(?:\+[A-Z0-9]+)*)$/.exec(ref) ?? []
  return conId && labels ? { conId, labels: labels.split('+') } : null
}

/** The labels that track a booking; a booking that a person resolved has the one label that they entered. */
export function labelsOf(ref: string): readonly string[] {
  const parts = partsOf(ref)
  if (parts) return parts.labels
  const label = ref.toUpperCase().replaceAll(/[-_./:]/g, '')
  return /^[A-Z0-9]{1,30}$/.test(label) ? [label] : []
}
