import { z } from 'zod'
import {
  carrierWord,
  dollarsAsCents,
  entryOf,
  excerpt,
  instantMs,
  jsonOf,
  readAnswer,
  understood,
} from '../answer.ts'
import type { Booking, CarrierEvent, Cure, News, Outcome, ToldBooking } from '../carrier.ts'
import type { CarrierResponse } from '../send.ts'
import { STATES } from './statuses.ts'

const Job = z.object({
  id: carrierWord,
  fee: z.object({ amount: dollarsAsCents, currency: z.literal('AUD') }),
  items: z.array(z.object({ ref: z.string(), labels: z.array(carrierWord) })),
})
const JobAnswer = z.object({ job: Job })
const Refused = z.object({ error: z.object({ code: z.string(), message: z.string() }) })
const JobEvent = z.object({
  id: carrierWord,
  job_id: carrierWord,
  state: carrierWord,
  occurred_at: instantMs,
  note: z.string().optional(),
})
/** An event that tells of its job whole, and of the key that it was booked under. */
const JobToldWhole = z.object({ idempotency_key: carrierWord, job: Job })

/** Whom a refusal leaves hope for, by Swiftly's code; any other is ours to mend. */
const CURES: Readonly<Record<string, Cure>> = {
  no_driver: 'another_carrier',
  area_not_served: 'another_carrier',
  too_large: 'another_carrier',
  // It says nothing of what was done before the key was changed, so it never counts as a clear no.
  unauthorised: 'later',
  closed: 'later',
}

export function parseBooking(response: CarrierResponse): Outcome<Booking> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) {
      const { code, said } = refusal(body)
      // A job exists under this key, only not this one: no other carrier may be asked.
      if (code === null || code === 'idempotency_mismatch') return { kind: 'unknown', said }
      return { kind: 'no', cure: entryOf(CURES, code) ?? 'nobody', said }
    }
    return understood(JobAnswer, body, ({ job }) => bookingOf(job))
  })
}

function bookingOf({ id, items, fee }: z.output<typeof Job>): Booking {
  const articles = items.map(({ ref, labels }) => ({ parcelReference: ref, articleIds: labels }))
  return { consignmentNumber: id, articles, costCents: fee.amount }
}

export function parseCancel(response: CarrierResponse): Outcome<null> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) {
      const { code, said } = refusal(body)
      if (code === null) return { kind: 'unknown', said }
      return { kind: 'no', cure: code === 'unauthorised' ? 'later' : 'nobody', said }
    }
    return understood(z.object({ job: z.object({ state: z.literal('cancelled') }) }), body, () => null)
  })
}

export function parseEarliestDriver(response: CarrierResponse): Outcome<number> {
  return readAnswer(response, ({ status, body }) => {
    if (status >= 400) return { kind: 'no', cure: 'later', said: refusal(body).said }
    return understood(z.object({ earliest: instantMs }), body, ({ earliest }) => earliest)
  })
}

/** The events of a webhook's body, one by one; a body that holds no list counts as one that was unreadable. */
export function parseNews(body: Buffer): News {
  const parsed = z.object({ events: z.array(z.unknown()) }).safeParse(jsonOf(body))
  if (!parsed.success) return { events: [], unreadable: 1 }

  const { events: told } = parsed.data
  const events = told.flatMap((raw) => parseEvent(raw) ?? [])
  return { events, bookings: told.flatMap(toldBookingOf), unreadable: told.length - events.length }
}

function toldBookingOf(raw: unknown): ToldBooking[] {
  const told = JobToldWhole.safeParse(raw).data
  if (!told) return []
  return [{ key: told.idempotency_key, consignmentNumber: told.job.id, as: () => bookingOf(told.job) }]
}

function parseEvent(raw: unknown): CarrierEvent | null {
  const parsed = JobEvent.safeParse(raw)
  if (!parsed.success) return null
  const { id, job_id, state, occurred_at, note } = parsed.data
  const meaning = entryOf(STATES, state)
  return {
    consignmentNumber: job_id,
    eventId: id,
    atMs: occurred_at,
    status: meaning?.status ?? null,
    subStatus: meaning?.subStatus ?? null,
    said: excerpt(note ? `${state}: ${note}` : state),
  }
}

/** Null code: these are not Swiftly's words, so somebody on the way said them. */
function refusal(body: unknown): { code: string | null; said: string } {
  const parsed = Refused.safeParse(body)
  if (!parsed.success) return { code: null, said: excerpt(body) }
  const { code, message } = parsed.data.error
  return { code, said: excerpt(`${code}: ${message}`) }
}
