import { z } from 'zod'
import { formatIssues } from '../../../domain/account/validation/shape-mistakes.ts'
import { cancelBooking } from '../engine/cancel-booking.ts'
import type { Plan } from '../engine/progress.ts'
import { chargeCents } from '../engine/scenario.ts'
import { answered, type SandboxServer, type Visit } from '../engine/server.ts'
import { articleIds, takeBooking } from '../engine/take-booking.ts'

/**
 * On-demand couriers: JSON over REST, a bearer key, `Idempotency-Key` honoured without expiry, webhooks; no
 * look-up and no tracking by request.
 */
export const SWIFTLY: SandboxServer = {
  routes: [
    { method: 'POST', path: /^\/v2\/jobs$/, answer: postJob },
    { method: 'POST', path: /^\/v2\/jobs\/(?<id>[^/]+)\/cancel$/, answer: cancelJob },
    { method: 'GET', path: /^\/v2\/drivers\/earliest$/, answer: earliestDriver },
  ],
  apiKeyOf: (headers) => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1],
  refuse,
}

/** The plan of a job, from the stored request. */
export function swiftlyPlan(request: unknown): Plan {
  return planOf(JobRequest.parse(request))
}

function planOf({ pickup, dropoff }: JobRequest): Plan {
  return {
    by: 'courier',
    readyAtMs: Date.parse(pickup.ready_at),
    window: { fromMs: Date.parse(dropoff.between.start), toMs: Date.parse(dropoff.between.end) },
  }
}

const NEXT_DRIVER_MS = 25 * 60_000
const at = z.iso.datetime()
const Instant = at.optional()
const Stop = z.looseObject({
  contact: z.string().min(1),
  street: z.string().min(1),
  suburb: z.string().min(1),
  state: z.string().min(2),
  postcode: z.string().regex(/^\d{4}$/),
  location: z.object({ lat: z.number(), lng: z.number() }),
})
const JobRequest = z.looseObject({
  external_id: z.string().min(1),
  product: z.string().min(1),
  pickup: Stop.extend({ ready_at: at }),
  dropoff: Stop.extend({ between: z.object({ start: at, end: at }) }),
  items: z
    .array(z.looseObject({ ref: z.string(), grams: z.int().positive(), count: z.int().positive() }))
    .min(1),
  agreed_fee: z
    .object({ amount: z.string().regex(/^\d{1,9}\.\d\d$/), currency: z.literal('AUD') })
    .optional(),
})
type JobRequest = z.output<typeof JobRequest>

async function postJob(visit: Visit) {
  const idempotencyKey = visit.headers['idempotency-key']
  if (!idempotencyKey) return refuse(400, 'idempotency_key_required', 'Send an Idempotency-Key.')
  const job = JobRequest.safeParse(visit.body)
  if (!job.success)
    return refuse(422, 'invalid_request', formatIssues(JobRequest, visit.body, job.error.issues))

  return takeBooking(visit, {
    reference: job.data.external_id,
    idempotencyKey,
    merchantReference: job.data.external_id,
    plan: planOf(job.data),
    prefix: 'SWF',
    findableAfterMs: 0,
    pushes: true,
    noticesRepeats: true,
    answer: (id) => ({ job: jobOf(id, job.data) }),
    identity: ({ agreed_fee: _, ...same }) => same,
    booked: (answer, replayed) => answered(replayed ? 200 : 201, answer),
    rejected: () => refuse(422, 'no_driver', 'No driver takes this job.'),
    mismatched: () => refuse(422, 'idempotency_mismatch', 'This Idempotency-Key belongs to another job.'),
  })
}

function jobOf(id: string, { external_id, agreed_fee, items }: JobRequest) {
  const totalKg = items.reduce((kg, item) => kg + (item.grams * item.count) / 1000, 0)
  let first = 1
  const labelled = items.map(({ ref, count }) => {
    const labels = articleIds(id, count, first)
    first += count
    return { ref, labels }
  })
  const agreedCents = agreed_fee ? Math.round(Number(agreed_fee.amount) * 100) : null
  const fee = (chargeCents(external_id, agreedCents, totalKg) / 100).toFixed(2)
  return { id, state: 'queued', fee: { amount: fee, currency: 'AUD' }, items: labelled }
}

async function cancelJob(visit: Visit) {
  const id = visit.path.id ?? ''
  switch (await cancelBooking(visit, id, swiftlyPlan)) {
    case 'not_found':
      return refuse(404, 'job_not_found', `There is no job ${id}.`)
    case 'refused':
      return refuse(409, 'already_picked_up', `Job ${id} has been picked up.`)
    case 'cancelled':
    case 'already_cancelled':
      return answered(200, { job: { id, state: 'cancelled' } })
  }
}

/**
 * A driver needs some time to get there from now, and isn't sent before the parcels are ready (`ready_at`).
 */
async function earliestDriver({ query, nowMs }: Visit) {
  const readyAt = Instant.safeParse(query.get('ready_at') ?? undefined)
  if (!readyAt.success) return refuse(422, 'invalid_request', 'ready_at is not a date and time in UTC.')
  const driverMs = nowMs() + NEXT_DRIVER_MS
  const earliestMs = readyAt.data === undefined ? driverMs : Math.max(driverMs, Date.parse(readyAt.data))
  return answered(200, { earliest: new Date(earliestMs).toISOString() })
}

function refuse(status: number, code: string, message: string) {
  return answered(status, { error: { code, message } })
}
