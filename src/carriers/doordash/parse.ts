import { z } from 'zod'
import type { CarrierRate } from '../../domain/quoting/carrier-rate.ts'
import { carrierWord, excerpt, instantMs, readAnswer, understood } from '../answer.ts'
import type { Booking, Consignment, Cure, Outcome } from '../carrier.ts'
import { ownArticles } from '../own-articles.ts'
import type { CarrierResponse } from '../send.ts'

const Refused = z.object({
  code: z.string().optional(),
  message: z.string().default(''),
  reason: z.string().optional().catch(undefined),
  field_errors: z
    .array(z.object({ field: z.string(), error: z.string() }))
    .optional()
    .catch(undefined),
})
const Aud = z.string().regex(/^aud$/i)
const Delivery = z.object({
  external_delivery_id: carrierWord,
  delivery_status: z.string(),
  fee: z.int().nonnegative(),
  tax: z.int().nonnegative().nullish().catch(null),
  currency: Aud,
  support_reference: z.coerce
    .string()
    .regex(/^[A-Za-z0-9-]{1,40}$/)
    .nullish()
    .catch(null),
})
const Quote = z.object({
  external_delivery_id: carrierWord,
  fee: z.int().nonnegative(),
  tax: z.int().nonnegative().nullish().catch(null),
  currency: Aud,
  expires_at: instantMs.nullish().catch(null),
})

type Consigned = Pick<Consignment, 'deliveryId' | 'parcels'>

/** `taken`: the id has been used, perhaps by us. */
export function parseBooking(response: CarrierResponse, consignment: Consigned): Outcome<Booking> | 'taken' {
  let taken = false
  const outcome = readAnswer<Booking>(response, ({ status, body }) => {
    if (status >= 400) {
      taken = status === 409
      return refused(status, body)
    }
    return understood(Delivery, body, (delivery) => bookingOf(delivery, consignment))
  })
  return taken ? 'taken' : outcome
}

/** What stands under an id of ours: a booking; null for nothing, or no more than a quote. */
export function parseFound(response: CarrierResponse, consignment: Consigned): Outcome<Booking | null> {
  return readAnswer<Booking | null>(response, ({ status, body }) => {
    if (status === 404 && isTheirs(body)) return { kind: 'yes', value: null }
    if (status >= 400) return { kind: 'unknown', said: refused(status, body).said }
    return understood(Delivery, body, (delivery) =>
      delivery.delivery_status === 'quote' ? null : bookingOf(delivery, consignment),
    )
  })
}

/** `again`: it is not let go, or was let go before; its status tells. */
export function parseCancel(response: CarrierResponse): Outcome<null> | 'again' {
  let again = false
  const outcome = readAnswer<null>(response, ({ status, body }) => {
    again = status === 409
    if (status >= 400) {
      const no = refused(status, body)
      return no.kind === 'no' && no.cure !== 'later' ? { ...no, cure: 'nobody' } : no
    }
    return understood(z.object({ delivery_status: z.literal('cancelled') }), body, () => null)
  })
  return again ? 'again' : outcome
}

/** Whether a delivery that could not be cancelled is so already. */
export function parseCancelled(response: CarrierResponse): Outcome<null> {
  return readAnswer<null>(response, ({ status, body }) => {
    if (status >= 400) return { kind: 'unknown', said: refused(status, body).said }
    const read = understood(z.object({ delivery_status: z.string() }), body, (one) => one.delivery_status)
    if (read.kind !== 'yes') return read
    if (read.value === 'cancelled') return { kind: 'yes', value: null }
    return { kind: 'no', cure: 'nobody', said: `it is ${excerpt(read.value)} and can no longer be cancelled` }
  })
}

/** DoorDash's quotes live five minutes; most answers do not say so. */
const QUOTE_LIVES_MS = 5 * 60_000

/** One price, whichever of its services is asked for: DoorDash sells one kind of delivery. */
export function parseQuote(
  response: CarrierResponse,
  carrierCodes: readonly string[],
  askedAtMs: number,
): Outcome<readonly CarrierRate[]> {
  return readAnswer<readonly CarrierRate[]>(response, ({ status, body }) => {
    if (status >= 400) return refused(status, body)
    return understood(Quote, body, ({ fee, tax, expires_at }) =>
      carrierCodes.map((carrierCode) => ({
        carrierCode,
        priceCents: fee + (tax ?? 0),
        lines: [{ name: 'carrier_price' as const, cents: fee + (tax ?? 0), detail: null }],
        // A price and no more: accepting it would book what it was asked for, which lacks name, phone and notes.
        quoteId: null,
        expiresAtMs: expires_at ?? askedAtMs + QUOTE_LIVES_MS,
        // They tell one moment, not a window: the account's own timing holds.
        window: null,
      })),
    )
  })
}

/** Whether our key signs in: somebody unknown is told so, before a delivery that is not there. */
export function parseCheck(response: CarrierResponse): Outcome<string> {
  return readAnswer<string>(response, ({ status, body }) => {
    if (status === 404 && isTheirs(body)) return { kind: 'yes', value: 'it knows our key' }
    return status >= 400 ? refused(status, body) : { kind: 'unknown', said: excerpt(body) }
  })
}

function bookingOf(delivery: z.output<typeof Delivery>, consignment: Consigned): Booking {
  return {
    consignmentNumber: delivery.support_reference ?? delivery.external_delivery_id,
    carrierRef: delivery.external_delivery_id,
    articles: ownArticles('DD', consignment),
    costCents: delivery.fee + (delivery.tax ?? 0),
  }
}

/**
 * They publish what statuses mean, and of the codes only `validation_error`: 422 is what cannot be done (too far,
 * out of the area, no such time), 400 what is wrong, 401 and 403 what is the matter with the account.
 */
const CURES: Readonly<Record<number, Cure>> = { 401: 'later', 403: 'later', 422: 'another_carrier' }

/** Unknown where these are not DoorDash's words, so somebody on the way said them. */
function refused(status: number, body: unknown): Exclude<Outcome<never>, { kind: 'yes' }> {
  if (!isTheirs(body)) return { kind: 'unknown', said: excerpt(body) }
  const { code, message, reason, field_errors = [] } = Refused.parse(body)
  const fields = field_errors.map(({ field, error }) => `${field} ${error}`)
  const said = [code, reason, ...(fields.length > 0 ? fields : [message])].filter(Boolean).join(': ')
  return { kind: 'no', cure: CURES[status] ?? 'nobody', said: excerpt(said) }
}

function isTheirs(body: unknown): boolean {
  const parsed = Refused.safeParse(body)
  return parsed.success && (parsed.data.code !== undefined || parsed.data.field_errors !== undefined)
}
