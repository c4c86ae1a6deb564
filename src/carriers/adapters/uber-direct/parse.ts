import type { CarrierRate } from '../../../domain/quoting/carrier-rate.ts'
import type { ReportedProof } from '../../kit/fetch-proof-images.ts'
import { generatedArticleIds } from '../../kit/generated-article-ids.ts'
import type { Page } from '../../kit/paged-search.ts'
import { oneRate } from '../../kit/rates.ts'
import type { Booking, Consignment, Outcome } from '../../port/carrier.ts'
import { noAsUnknown, yes } from '../../port/outcome.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { reader } from './refusals.ts'
import { Cancelled, Delivery, DeliveryStatus, List, type Listed, Proofs, Quote } from './schemas.ts'

type Consigned = Pick<Consignment, 'key' | 'deliveryId' | 'parcels'>

export function parseBooking(response: CarrierResponse, consignment: Consigned): Outcome<Booking> {
  return reader.readCreate(response, Delivery, (delivery) => bookingOf(delivery, consignment))
}

/**
 * The existing delivery that a 409 names: ours if it has our key, otherwise another one and so a definite no.
 */
export function parseTwin(response: CarrierResponse, consignment: Consigned): Outcome<Booking> {
  const outcome = noAsUnknown(reader.read(response, Delivery, (delivery) => delivery))
  if (outcome.kind !== 'yes') return outcome
  const { id, external_id } = outcome.value
  if (external_id === consignment.key) return yes(bookingOf(outcome.value, consignment))
  if (!external_id) return { kind: 'unknown', message: `it may be a duplicate of ${id}` }
  return { kind: 'no', retry: 'another_carrier', message: `it treats it as a duplicate of ${id}` }
}

/**
 * One page of the list: the id of the delivery under our key if it is there; `more`: it may be on later
 * pages.
 */
export function parseSearch(
  response: CarrierResponse,
  { key, sinceMs, pageSize }: { key: string; sinceMs: number; pageSize: number },
): Outcome<Page<string>> {
  return reader.read(response, List, ({ data: { good, unreadable }, next_href }) => {
    const length = good.length + unreadable
    const isPast = unreadable === 0 && isAllOlder(good, sinceMs)
    return {
      // A return leg may have the same `external_id`.
      ours: good.find(({ id, external_id }) => external_id === key && id.startsWith('del_'))?.id ?? null,
      length,
      more: length > 0 && !isPast && (Boolean(next_href) || length >= pageSize),
      unreadable,
      // Only the query of their `next_href` is used: its host must not receive our token.
      next: URL.parse(next_href ?? '', 'https://list.invalid')?.search.slice(1) || null,
    }
  })
}

/** Only if the page shows that the newest come first: their reference doesn't guarantee it. */
function isAllOlder(page: readonly Listed[], sinceMs: number): boolean {
  const times = page.map(({ created }) => created ?? Number.POSITIVE_INFINITY)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  return (
    last < first && first < sinceMs && times.every((time, at) => at === 0 || time <= (times[at - 1] ?? 0))
  )
}

export function parseCancel(response: CarrierResponse): Outcome<null> {
  return reader.read(response, Cancelled, () => null)
}

/** A delivery's status. */
export function parseStatus(response: CarrierResponse): Outcome<string> {
  return reader.read(response, DeliveryStatus, ({ status }) => status)
}

export function parseProofs(response: CarrierResponse): Outcome<readonly ReportedProof[]> {
  return reader.read(response, Proofs, (proofs) => proofs)
}

/** Whether our credentials and customer id let us read our deliveries. */
export function parseCheck(response: CarrierResponse): Outcome<string> {
  return reader.read(response, List, () => 'we can read our deliveries')
}

export function parseQuote(
  response: CarrierResponse,
  carrierCodes: readonly string[],
): Outcome<readonly CarrierRate[]> {
  return reader.read(response, Quote, ({ id, fee, expires, dropoff_eta: fromMs, dropoff_deadline: toMs }) =>
    oneRate(carrierCodes, {
      priceCents: fee,
      quoteId: id,
      expiresAtMs: expires,
      window: fromMs && toMs && fromMs < toMs ? { fromMs, toMs } : null,
    }),
  )
}

export function bookingOf({ id, fee }: Delivery, consignment: Consigned): Booking {
  return { consignmentNumber: id, articles: generatedArticleIds('UD', consignment), costCents: fee }
}
