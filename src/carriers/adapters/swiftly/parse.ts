import { z } from 'zod'
import type { Status } from '../../../domain/delivery/status.ts'
import { carrierCode, dollarsAsCents, entryOf, excerpt, instantMs, jsonOf } from '../../kit/answer.ts'
import { errorClassifier } from '../../kit/error-classifier.ts'
import type { Booking, BookingNotice, CarrierEvent, CarrierUpdates, Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'

const reader = errorClassifier({
  errors: z
    .object({ error: z.object({ code: z.string(), message: z.string() }) })
    .transform(({ error: { code, message } }) => [{ code, field: null, message }]),
  adviceByCode: {
    no_driver: 'another_carrier',
    area_not_served: 'another_carrier',
    too_large: 'another_carrier',
    // It doesn't say what Swiftly did before the key changed, so it never counts as a definite no.
    unauthorised: 'later',
    closed: 'later',
    invalid_request: 'nobody',
    idempotency_key_required: 'nobody',
    job_not_found: 'nobody',
    already_picked_up: 'nobody',
    // A different job exists under this key, so we must not try another carrier.
    idempotency_mismatch: 'unknown',
  },
})

const Job = z.object({
  id: carrierCode,
  fee: z.object({ amount: dollarsAsCents, currency: z.literal('AUD') }),
  items: z.array(z.object({ ref: z.string(), labels: z.array(carrierCode) })),
})
const JobAnswer = z.object({ job: Job })
const JobEvent = z.object({
  id: carrierCode,
  job_id: carrierCode,
  state: carrierCode,
  occurred_at: instantMs,
  note: z.string().optional(),
})
/** An event with its whole job, and the key that it was booked under. */
const JobReportedWhole = z.object({ idempotency_key: carrierCode, job: Job })

export function parseBooking(response: CarrierResponse): Outcome<Booking> {
  return reader.readCreate(response, JobAnswer, ({ job }) => bookingOf(job))
}

function bookingOf({ id, items, fee }: z.output<typeof Job>): Booking {
  const articles = items.map(({ ref, labels }) => ({ parcelReference: ref, articleIds: labels }))
  return { consignmentNumber: id, articles, costCents: fee.amount }
}

export function parseCancel(response: CarrierResponse): Outcome<null> {
  return reader.read(response, z.object({ job: z.object({ state: z.literal('cancelled') }) }), () => null)
}

export function parseEarliestDriver(response: CarrierResponse): Outcome<number> {
  return reader.read(response, z.object({ earliest: instantMs }), ({ earliest }) => earliest)
}

/** The events of a webhook's body, one by one; a body without a list counts as one unreadable event. */
export function parseWebhook(body: Buffer): CarrierUpdates {
  const parsed = z.object({ events: z.array(z.unknown()) }).safeParse(jsonOf(body))
  if (!parsed.success) return { events: [], unreadable: 1 }

  const { events: rawEvents } = parsed.data
  const events = rawEvents.flatMap((raw) => parseEvent(raw) ?? [])
  return {
    events,
    bookings: rawEvents.flatMap(toBookingNotice),
    unreadable: rawEvents.length - events.length,
  }
}

function toBookingNotice(raw: unknown): BookingNotice[] {
  const update = JobReportedWhole.safeParse(raw).data
  if (!update) return []
  return [
    { key: update.idempotency_key, consignmentNumber: update.job.id, toBooking: () => bookingOf(update.job) },
  ]
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
    message: excerpt(note ? `${state}: ${note}` : state),
  }
}

/** Swiftly's job states. An unlisted state changes no status and is stored as received. */
export const STATES: Readonly<Record<string, { status: Status | null; subStatus: string | null }>> = {
  queued: { status: null, subStatus: null },
  driver_assigned: { status: 'assigned', subStatus: null },
  driver_nearby: { status: 'approaching', subStatus: null },
  waiting_at_pickup: { status: 'approaching', subStatus: 'arrived_at_pickup' },
  driver_changed: { status: 'reassigned', subStatus: null },
  picked_up: { status: 'collected', subStatus: null },
  on_the_way: { status: 'collected', subStatus: 'out_for_delivery' },
  running_late: { status: null, subStatus: 'delayed' },
  incident_damage: { status: 'collected', subStatus: 'damaged' },
  recipient_refused: { status: 'collected', subStatus: 'attempted' },
  dropped_off: { status: 'delivered', subStatus: null },
  returning: { status: 'pending_return', subStatus: null },
  back_at_store: { status: 'returned', subStatus: null },
  cancelled: { status: 'cancelled', subStatus: null },
}
