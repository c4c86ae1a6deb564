import type { z } from 'zod'
import type { CarrierRate } from '../../../domain/quoting/carrier-rate.ts'
import type { ReportedProof } from '../../kit/fetch-proof-images.ts'
import { generatedArticleIds } from '../../kit/generated-article-ids.ts'
import { oneRate } from '../../kit/rates.ts'
import type { Booking, Consignment, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { reader } from './refusals.ts'
import { type Booked, Cancelled, Delivery, DeliveryState, Proofs, Quote } from './schemas.ts'

type Consigned = Pick<Consignment, 'deliveryId' | 'parcels'>

export function parseBooking(response: CarrierResponse, consignment: Consigned): Outcome<Booking> {
  return reader.readCreate(response, Delivery, (delivery) => bookingOf(delivery, consignment))
}

/** A look-up by our id: a booking; null if there is nothing or only a quote. */
export function parseFound(response: CarrierResponse, consignment: Consigned): Outcome<Booking | null> {
  return reader.readOrNone(response, Delivery, (delivery) =>
    delivery.delivery_status === 'quote' ? null : bookingOf(delivery, consignment),
  )
}

export function parseCancel(response: CarrierResponse): Outcome<null> {
  return reader.read(response, Cancelled, () => null)
}

/** A delivery's status; null if there is no such delivery. */
export function parseStatus(response: CarrierResponse): Outcome<string | null> {
  return reader.readOrNone(response, DeliveryState, (delivery) => delivery.delivery_status)
}

export function parseProofs(response: CarrierResponse): Outcome<readonly ReportedProof[]> {
  return reader.read(response, Proofs, (proofs) => proofs)
}

/** DoorDash's quotes are valid for five minutes; most responses don't say so. */
const QUOTE_LIVES_MS = 5 * 60_000

/**
 * Only a price: accepting a quote would book the job without name, phone and notes. DoorDash gives one
 * arrival time and no window, so the account's own timing applies.
 */
export function parseQuote(
  response: CarrierResponse,
  carrierCodes: readonly string[],
  askedAtMs: number,
): Outcome<readonly CarrierRate[]> {
  return reader.read(response, Quote, (quote) => {
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
