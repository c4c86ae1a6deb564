import type { z } from 'zod'
import type { CarrierRate } from '../../../domain/quoting/carrier-rate.ts'
import type { ReportedProof } from '../../kit/fetch-proof-images.ts'
import { generatedArticleIds } from '../../kit/generated-article-ids.ts'
import { oneRate } from '../../kit/rates.ts'
import type { Booking, Consignment, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { WORDS } from './refusals.ts'
import { type Booked, Cancelled, Delivery, Proofs, Quote, Standing } from './schemas.ts'

type Consigned = Pick<Consignment, 'deliveryId' | 'parcels'>

export function parseBooking(response: CarrierResponse, consignment: Consigned): Outcome<Booking> {
  return WORDS.read(response, Delivery, (delivery) => bookingOf(delivery, consignment))
}

/** What stands under an id of ours: a booking; null for nothing, or no more than a quote. */
export function parseFound(response: CarrierResponse, consignment: Consigned): Outcome<Booking | null> {
  return WORDS.readOrNone(response, Delivery, (delivery) =>
    delivery.delivery_status === 'quote' ? null : bookingOf(delivery, consignment),
  )
}

export function parseCancel(response: CarrierResponse): Outcome<null> {
  return WORDS.read(response, Cancelled, () => null)
}

/** How a delivery stands; null for one that is not there. */
export function parseStatus(response: CarrierResponse): Outcome<string | null> {
  return WORDS.readOrNone(response, Standing, (delivery) => delivery.delivery_status)
}

export function parseProofs(response: CarrierResponse): Outcome<readonly ReportedProof[]> {
  return WORDS.read(response, Proofs, (proofs) => proofs)
}

/** DoorDash's quotes live five minutes; most answers do not say so. */
const QUOTE_LIVES_MS = 5 * 60_000

/**
 * A price and no more: accepting a quote would book what it was asked for, which lacks name, phone and notes. They
 * tell one moment of arrival and no window: the account's own timing holds.
 */
export function parseQuote(
  response: CarrierResponse,
  carrierCodes: readonly string[],
  askedAtMs: number,
): Outcome<readonly CarrierRate[]> {
  return WORDS.read(response, Quote, (quote) => {
    const expiresAtMs = quote.expires_at ?? askedAtMs + QUOTE_LIVES_MS
    return oneRate(carrierCodes, { priceCents: centsOf(quote), expiresAtMs, quoteId: null, window: null })
  })
}

export function bookingOf(delivery: z.output<typeof Booked>, consignment: Consigned): Booking {
  return {
    consignmentNumber: delivery.support_reference ?? delivery.external_delivery_id,
    carrierRef: delivery.external_delivery_id,
    articles: generatedArticleIds('DD', consignment),
    costCents: centsOf(delivery),
  }
}

function centsOf({ fee, tax }: Pick<z.output<typeof Delivery>, 'fee' | 'tax'>): number {
  return fee + (tax ?? 0)
}
