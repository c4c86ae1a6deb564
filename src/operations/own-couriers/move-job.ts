import type { PoolClient } from 'pg'
import { isFinal, pathBetween, type Status } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { stepTime } from '../../domain/own-network/job.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryPatch } from '../../store/deliveries/delivery-change.ts'
import { findLastStepTime, type NewEvent } from '../../store/deliveries/events.ts'
import { answerOffer, type OfferOutcome } from '../../store/own-couriers/courier-offers.ts'
import { auditFields } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { transitionEvents } from '../events/status-events.ts'
import { type DriverJob, driverJob, isOver } from './driver-jobs.ts'
import type { ActingDriver } from './driver-session.ts'

/** After this many lost races with concurrent changes, the step gives up. */
const MAX_ATTEMPTS = 5

/** The effect of a driver's step on a job. */
export type Step = {
  /** The statuses that the delivery passes through, the current one first. */
  path: readonly Status[]
  patch?: DeliveryPatch
  subStatus?: string | null
  /** Text of the event with the last status. */
  detail?: string | null
  /** A person should look at it. */
  exception?: boolean
  /** The phone's clock. */
  atMs?: number | null
  offer?: { outcome: OfferOutcome | null; reason: string | null; live: boolean }
  /** Further writes in the same transaction; `atMs`: when the step was done. */
  also?(db: PoolClient, atMs: number): Promise<void>
}

/** A job after a step; `moved` is false if the step was already done. */
export type MovedJob = DriverJob & { moved: boolean }

/**
 * Optimistic lock: applies a driver's step to the delivery's row. The write matches only while status and content are
 * unchanged since they were read, so a step never applies to a delivery that was just cancelled, amended or reassigned.
 * `stepOf` returns null if the step is already done: then `moved` is false. Refuses `not_found` and `job_not_open`.
 */
export async function moveJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  stepOf: (job: DriverJob) => Step | null | Promise<Step | null>,
): Promise<MovedJob> {
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const job = await driverJob(deps, driver, jobId)
    if (isOver(job))
      throw new Refusal('job_not_open', 'This offer was not answered in time, so it went back to the store.')
    const step = await stepOf(job)
    if (step === null) return { ...job, moved: false }
    const moved = await takeStep(deps, driver, job, step)
    if (moved) {
      deps.wake()
      return { ...moved, moved: true }
    }
  }
  throw new Refusal(
    'job_not_open',
    'Somebody changed this delivery at the same time. Read the job and try again.',
  )
}

/** The path through the status table to `to`. Refuses `job_not_open` if there is no path. */
export function wayTo({ row }: DriverJob, to: Status): Status[] {
  const path = pathBetween(row.status, to)
  if (!path) throw notNext(row.status)
  return path
}

/** The refusal of a step that does not follow from the job's status. */
export function notNext(status: Status): Refusal {
  return new Refusal('job_not_open', `The delivery is ${status}: this step does not come next.`)
}

async function takeStep(
  deps: Deps,
  { record }: ActingDriver,
  job: DriverJob,
  step: Step,
): Promise<DriverJob | null> {
  const { row, entry } = job
  const nowMs = entry.nowMs()
  const status = step.path.at(-1) ?? row.status
  const changed = await withTransaction(deps.db, async (db) => {
    const atMs = await resolveStepTime(db, job, step, nowMs)
    const after = await changeDelivery(
      db,
      {
        accountId: row.account_id,
        deliveryId: row.delivery_id,
        nowMs,
        guard: { statuses: [row.status], noOpenAttempt: true, contentVersion: row.content_version },
      },
      {
        status,
        sub_status: step.subStatus ?? null,
        // The phone may have been without signal.
        ...(isFinal(status) && { carrier_event_at: atMs }),
        ...step.patch,
      },
      toEvents(deps, job, step, atMs),
    )
    if (!after) return null
    if (step.offer) await answerOffer(db, row, { ...step.offer, atMs: nowMs })
    await step.also?.(db, atMs)
    await record(db, auditFields(after))
    return after
  })
  if (!changed) return null
  const outcome = step.offer?.outcome ?? row.outcome
  return { ...job, row: { ...row, ...changed, outcome } }
}

async function resolveStepTime(
  db: PoolClient,
  { row }: DriverJob,
  { atMs = null }: Step,
  nowMs: number,
): Promise<number> {
  if (atMs === null) return nowMs
  const lastMs = await findLastStepTime(db, row.account_id, row.delivery_id)
  return stepTime(atMs, { sinceMs: row.booked_at ?? row.created_at, lastMs, nowMs })
}

function toEvents(deps: Deps, { row }: DriverJob, step: Step, atMs: number): NewEvent[] {
  const { subStatus = null, detail = null } = step
  const eventFields = {
    atMs,
    source: 'driver',
    subStatus,
    consignmentNumber: step.patch?.consignment_number ?? row.consignment_number,
  } as const
  const events = transitionEvents(deps, step.path, { ...eventFields, atEnd: detail })
  const only = { ...eventFields, from: null, to: null, detail }
  if (events.length === 0)
    events.push({ ...only, eventId: deps.newId('evt'), type: 'delivery.status_changed' })
  if (step.exception) events.push({ ...only, eventId: deps.newId('evt'), type: 'delivery.exception' })
  return events
}
