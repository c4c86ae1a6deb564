import { z } from 'zod'
import type { CarrierRate } from '../../domain/quoting/carrier-rate.ts'
import { carrierWord, instantMs, readAnswer, understood } from '../answer.ts'
import type { Booking, Consignment, Outcome } from '../carrier.ts'
import { ownArticles } from '../own-articles.ts'
import type { CarrierResponse } from '../send.ts'
import { asBusy, refusalOf } from './refusals.ts'

const Aud = z.string().regex(/^aud$/i)
const Delivery = z.object({
  id: carrierWord.startsWith('del_'),
  status: z.string(),
  fee: z.int().nonnegative(),
  currency: Aud,
  external_id: z.string().nullish(),
})
const List = z.object({ data: z.array(z.unknown()), next_href: z.string().nullish() })
const Quote = z.object({
  id: carrierWord.startsWith('dqt_'),
  fee: z.int().nonnegative(),
  currency_type: Aud,
  expires: instantMs,
  dropoff_eta: instantMs.nullish(),
  dropoff_deadline: instantMs.nullish(),
})

export function parseBooking(response: CarrierResponse, consignment: Consignment): Outcome<Booking> {
  const busy = asBusy(response)
  if (busy) return { kind: 'no', cure: busy.cure, said: busy.said }
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) {
      const { code, cure, said } = refusalOf(body)
      // Something stands there already, and we could not learn what.
      if (code === null || code === 'duplicate_delivery') return { kind: 'unknown', said }
      return { kind: 'no', cure, said }
    }
    return understood(Delivery, body, (delivery) => bookingOf(delivery, consignment))
  })
}

/** The delivery that a refusal says stands already: ours under this key, or another and so a clear no. */
export function parseTwin(response: CarrierResponse, consignment: Consignment): Outcome<Booking> {
  const outcome = readAnswer(response, ({ status, body }) =>
    status >= 400
      ? { kind: 'unknown', said: refusalOf(body).said }
      : understood(Delivery, body, (delivery) => delivery),
  )
  if (outcome.kind !== 'yes') return outcome
  if (outcome.value.external_id === consignment.key) {
    return { kind: 'yes', value: bookingOf(outcome.value, consignment) }
  }
  if (!outcome.value.external_id) return { kind: 'unknown', said: `like ${outcome.value.id}` }
  return { kind: 'no', cure: 'another_carrier', said: `it takes it for the same as ${outcome.value.id}` }
}

/** One page of the list: our delivery where it is there; `more` where there are further pages. */
export function parseSearch(
  response: CarrierResponse,
  consignment: Pick<Consignment, 'key' | 'deliveryId' | 'parcels'>,
): Outcome<{ found: Booking | null; more: boolean }> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) return { kind: 'unknown', said: refusalOf(body).said }
    return understood(List, body, ({ data, next_href }) => {
      const all = data.map((one) => Delivery.safeParse(one))
      const ours = all.find(({ data: one }) => one?.external_id === consignment.key)?.data
      return {
        found: ours ? bookingOf(ours, consignment) : null,
        more: Boolean(next_href) && data.length > 0,
      }
    })
  })
}

/** `again`: it is not let go, or was let go before; its status tells. */
export function parseCancel(response: CarrierResponse): Outcome<null> | 'again' {
  let again = false
  const outcome = readAnswer<null>(response, ({ status, body }) => {
    if (status >= 400) {
      const { code, cure, said } = refusalOf(body)
      again = code === 'noncancelable_delivery'
      if (code === null) return { kind: 'unknown', said }
      return { kind: 'no', cure: cure === 'later' ? 'later' : 'nobody', said }
    }
    return understood(z.object({ status: z.literal('canceled') }), body, () => null)
  })
  return again ? 'again' : outcome
}

/** Whether a delivery that could not be cancelled is so already. */
export function parseCancelled(response: CarrierResponse): Outcome<null> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) return { kind: 'unknown', said: refusalOf(body).said }
    const read = understood(z.object({ status: z.string() }), body, (delivery) => delivery.status)
    if (read.kind !== 'yes') return read
    if (read.value === 'canceled') return { kind: 'yes', value: null }
    return { kind: 'no', cure: 'nobody', said: `it is at ${read.value} and can no longer be cancelled` }
  })
}

/** Whether our sign-in and customer id let us see our deliveries. */
export function parseCheck(response: CarrierResponse): Outcome<string> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) {
      const { cure, said } = refusalOf(body)
      return { kind: 'no', cure, said }
    }
    return understood(List, body, () => 'it shows us our deliveries')
  })
}

/** One price, whichever of its services is asked for: Uber sells one kind of delivery. */
export function parseQuote(
  response: CarrierResponse,
  carrierCodes: readonly string[],
): Outcome<readonly CarrierRate[]> {
  const busy = asBusy(response)
  if (busy) return { kind: 'no', cure: busy.cure, said: busy.said }
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) {
      const { cure, said } = refusalOf(body)
      return { kind: 'no', cure, said }
    }
    return understood(Quote, body, ({ id, fee, expires, dropoff_eta, dropoff_deadline }) =>
      carrierCodes.map((carrierCode) => ({
        carrierCode,
        priceCents: fee,
        lines: [{ name: 'carrier_price' as const, cents: fee, detail: null }],
        quoteId: id,
        expiresAtMs: expires,
        window: windowOf(dropoff_eta, dropoff_deadline),
      })),
    )
  })
}

function windowOf(fromMs: number | null | undefined, toMs: number | null | undefined) {
  return fromMs && toMs && fromMs < toMs ? { fromMs, toMs } : null
}

function bookingOf(
  { id, fee }: z.output<typeof Delivery>,
  consignment: Pick<Consignment, 'deliveryId' | 'parcels'>,
): Booking {
  return { consignmentNumber: id, articles: ownArticles('UD', consignment), costCents: fee }
}
