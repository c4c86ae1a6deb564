import { z } from 'zod'
import {
  carrierWord,
  dollarsAsCents,
  entryOf,
  excerpt,
  instantMs,
  readAnswer,
  understood,
} from '../answer.ts'
import type { Booking, Cure, Outcome } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'

/** Items come one a unit. */
export const Items = z.array(
  z.object({ lineNumber: z.int(), itemReference: z.string(), articleId: carrierWord }),
)
const Shipment = z.object({
  shipmentId: carrierWord,
  items: Items,
  summary: z.object({ totalCost: dollarsAsCents, currency: z.literal('AUD') }),
})
type Shipment = z.output<typeof Shipment>
const Errors = z.object({ errors: z.array(z.object({ code: z.string(), message: z.string() })).min(1) })

/** Whom a refusal leaves hope for, by Southern's code; any other is ours to mend. */
const CURES: Readonly<Record<string, Cure>> = {
  '51101': 'another_carrier',
  '51107': 'another_carrier',
  unauthorised: 'later',
}
// 503 with this code is answered before anything is done (their guide); every other 5xx may have been done.
const MAINTENANCE = '59001'
const DELETED_BEFORE = '44010'

export function parseBooking(response: CarrierResponse): Outcome<Booking> {
  if (
    response.kind === 'answered' &&
    response.status === 503 &&
    refusal(response.body).code === MAINTENANCE
  ) {
    return { kind: 'no', cure: 'later', said: refusal(response.body).said }
  }
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) {
      const { code, said } = refusal(body)
      if (code === null) return { kind: 'unknown', said }
      return { kind: 'no', cure: entryOf(CURES, code) ?? 'nobody', said }
    }
    return understood(z.object({ shipments: z.tuple([Shipment]) }), body, ({ shipments }) =>
      bookingOf(shipments[0]),
    )
  })
}

/** The first shipment that a look-up lists, or null for none. A shipment we cannot read is unknown, not none. */
export function parseFound(response: CarrierResponse): Outcome<Booking | null> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) return { kind: 'no', cure: 'later', said: refusal(body).said }
    return understood(z.object({ shipments: z.array(Shipment) }), body, ({ shipments }) =>
      shipments[0] ? bookingOf(shipments[0]) : null,
    )
  })
}

/** Yes too when it was deleted before. */
export function parseDelete(response: CarrierResponse): Outcome<null> {
  return readAnswer(response, ({ status, body }) => {
    if (status < 400) return { kind: 'yes', value: null }
    const { code, said } = refusal(body)
    if (code === DELETED_BEFORE) return { kind: 'yes', value: null }
    if (code === null) return { kind: 'unknown', said }
    return { kind: 'no', cure: code === 'unauthorised' ? 'later' : 'nobody', said }
  })
}

export function parseNextRun(response: CarrierResponse): Outcome<number> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) return { kind: 'no', cure: 'later', said: refusal(body).said }
    return understood(z.object({ nextRun: instantMs }), body, ({ nextRun }) => nextRun)
  })
}

/** Null code: these are not Southern's words, so somebody on the way said them. */
export function refusal(body: unknown): { code: string | null; said: string } {
  const first = Errors.safeParse(body).data?.errors[0]
  return first
    ? { code: first.code, said: excerpt(`${first.code}: ${first.message}`) }
    : { code: null, said: excerpt(body) }
}

function bookingOf({ shipmentId, items, summary }: Shipment): Booking {
  return { consignmentNumber: shipmentId, articles: articlesOf(items), costCents: summary.totalCost }
}

/** The items of one line are one of our parcel rows. */
export function articlesOf(items: z.output<typeof Items>): Booking['articles'] {
  const rows = new Map<number, { parcelReference: string; articleIds: string[] }>()
  for (const { lineNumber, itemReference, articleId } of items) {
    const row = rows.get(lineNumber) ?? { parcelReference: itemReference, articleIds: [] }
    row.articleIds.push(articleId)
    rows.set(lineNumber, row)
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
}
