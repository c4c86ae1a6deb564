import type { PoolClient } from 'pg'
import type { DeliveryContent } from '../../domain/delivery/delivery.ts'
import type { RequestParcel } from '../../domain/delivery/request.ts'
import { handoverTerms } from '../../domain/delivery/terms.ts'
import { type Issue, Refusal } from '../../domain/errors.ts'
import { distanceKm, type Position } from '../../domain/geo/distance.ts'
import { BEFORE_COLLECTION, type FailReason, failReason, stepTime } from '../../domain/own-network/job.ts'
import {
  type CollectedParcel,
  leftBehind,
  leftWords,
  withLeftBehind,
} from '../../domain/own-network/left-behind.ts'
import { refuse } from '../../domain/refuse.ts'
import { record } from '../../domain/untyped-json.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { lockUnlessErased } from '../../store/deliveries/erase-deliveries.ts'
import { findEndedJob } from '../../store/own-couriers/courier-offers.ts'
import { auditFields } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { type DriverJob, nameOfJob } from './driver-jobs.ts'
import type { ActingDriver } from './driver-session.ts'
import { endJob, type JobEnd } from './end-job.ts'
import { keepProof, provedBy } from './job-proof.ts'
import { type MovedJob, moveJob, notNext, wayTo } from './move-job.ts'
import { parseImage } from './proof-image.ts'

/** The driver is at the pickup. */
export async function approachJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  atMs: number | null,
): Promise<MovedJob> {
  return moveJob(deps, driver, jobId, (job) => {
    if (job.row.status === 'approaching') return null
    if (!BEFORE_COLLECTION.includes(job.row.status)) throw notNext(job.row.status)
    return { path: wayTo(job, 'approaching'), atMs }
  })
}

/** The driver has collected the parcels: all of them, or those named. Refuses parcels that are not of this job. */
export async function collectJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  { taken, atMs }: { taken: readonly CollectedParcel[] | null; atMs: number | null },
): Promise<MovedJob> {
  return moveJob(deps, driver, jobId, (job) => {
    const { row } = job
    const { parcels } = row.content
    const issues = (taken ?? []).flatMap((one, index) => wrongParcel(one, index, parcels) ?? [])
    if (issues.length > 0) refuse(issues)
    if (row.status === 'collected') return null
    if (!BEFORE_COLLECTION.includes(row.status)) throw notNext(row.status)
    const left = taken ? leftBehind(parcels, taken) : []
    return {
      path: wayTo(job, 'collected'),
      detail: left.length === 0 ? null : `Left behind at pickup: ${left.map(leftWords).join(', ')}.`,
      ...(left.length > 0 && { patch: { articles: withLeftBehind(row.articles, left) } }),
      exception: left.length > 0,
      atMs,
    }
  })
}

/** The driver's report of a failed delivery. The phone makes `failId`, so that a report sent twice is stored once. */
export type Failure = {
  failId: string | null
  reason: FailReason
  note: string | null
  /** A photo of the obstacle, as base64; it needs a `failId`. */
  image: string | null
  position: Position | null
  atMs: number | null
}

/** The driver could not deliver: depending on the reason, another attempt follows or the parcels go back. */
export async function failJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  failure: Failure,
): Promise<JobEnd> {
  const { failId, reason, note, image: base64, position, atMs } = failure
  const { text, goesBack, supplyRefused = false } = failReason(reason)
  const image = base64 === null ? null : await parseImage(base64, 'image')
  const step = () =>
    moveJob(deps, driver, jobId, async (job) => {
      const { row } = job
      const issues = [
        ...((image || supplyRefused) && failId === null ? [NAMELESS] : []),
        ...goodsIssues(reason, row.content),
      ]
      if (issues.length > 0) refuse(issues)
      const where = supplyRefused ? refusedWhere(row.content, position) : null
      const detail = [text, where, note, image && 'There is a photo.'].filter(Boolean).join(' ')
      const { status } = row
      const keep = async (db: PoolClient, doneMs: number) => {
        if (failId === null) return
        await keepProof(db, driver, job, {
          proofId: failId,
          kind: 'photo',
          outcome: 'failed',
          signedBy: null,
          place: null,
          strokes: null,
          image,
          position,
          atMs: doneMs,
        })
      }
      if (status === 'pending_return' && goesBack) {
        // The store may have reported the return first: it still gets the driver's photo.
        if (image) await storeLateProof(deps, driver, job, { atMs, keep })
        return null
      }
      if (status !== 'collected') throw notNext(status)
      return {
        path: goesBack ? ['collected', 'pending_return'] : ['collected'],
        subStatus: goesBack ? reason : 'attempted',
        patch: { status_reason: detail },
        detail,
        exception: true,
        atMs,
        also: keep,
      }
    })
  return endJob(step, async () =>
    failId === null ? null : provedBy(deps, driver, jobId, { proofId: failId, outcome: 'failed' }),
  )
}

/** Stores a proof of a step that the delivery has already passed. */
async function storeLateProof(
  deps: Deps,
  { record }: ActingDriver,
  { row, entry }: DriverJob,
  { atMs, keep }: { atMs: number | null; keep(db: PoolClient, doneMs: number): Promise<void> },
): Promise<void> {
  const times = { sinceMs: row.booked_at ?? row.created_at, lastMs: null, nowMs: entry.nowMs() }
  await withTransaction(deps.db, async (db) => {
    if (!(await lockUnlessErased(db, row.account_id, row.delivery_id))) return
    await keep(db, stepTime(atMs, times))
    await record(db, auditFields(row))
  })
}

/** A reason that is only for goods that the job does not have. */
function goodsIssues(reason: FailReason, content: DeliveryContent): Issue[] {
  const { onlyFor } = failReason(reason)
  const hasDangerous = content.parcels.some(({ containsDangerousGoods }) => containsDangerousGoods)
  const has = onlyFor === 'adult_goods' ? handoverTerms(content).idCheckRequired : hasDangerous
  if (onlyFor === undefined || has) return []
  const goods = onlyFor === 'adult_goods' ? 'goods for adults only' : 'dangerous goods'
  const message = `${reason} is for ${goods}, which this job does not have. Choose another reason.`
  return [{ field: 'reason', issue: 'conflict', message }]
}

/** Who refused supply, and how far from the address, without naming the address: integrators receive the text. */
function refusedWhere({ staffCourier, destination }: DeliveryContent, position: Position | null): string {
  const driver = staffCourier?.driverName ?? 'The driver'
  if (position === null) return `Refused by ${driver}.`
  const metres = Math.round(distanceKm(position, destination) * 1_000)
  return `Refused by ${driver}, ${metres < 1_000 ? `${metres} m` : `${(metres / 1_000).toFixed(1)} km`} from the address.`
}

/** The driver keeps no parcel that nobody took: it goes back to the store, after any attempt. */
export async function bringBackJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  atMs: number | null,
): Promise<MovedJob> {
  return moveJob(deps, driver, jobId, ({ row, store }) => {
    if (row.status === 'pending_return') return null
    if (row.status !== 'collected') throw notNext(row.status)
    const detail = `The driver brings it back to ${store.name}.`
    return {
      path: ['collected', 'pending_return'],
      subStatus: row.sub_status,
      patch: { status_reason: [row.status_reason, detail].filter(Boolean).join(' ') },
      detail,
      exception: true,
      atMs,
    }
  })
}

/** The issues of a failure report in a body that its schema has rejected. */
export function rawFailIssues(body: unknown): Issue[] {
  const { id, image } = record(body)
  return image !== undefined && id === undefined ? [NAMELESS] : []
}

const NAMELESS: Issue = {
  field: 'id',
  issue: 'required',
  message: 'id is required with an image or a refusal of supply, so that a repeat is stored once.',
}

/** The parcels are back at the store. A repeat gets the same answer as the first time. */
export async function returnJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  atMs: number | null,
): Promise<JobEnd> {
  const step = () =>
    moveJob(deps, driver, jobId, ({ row }) => {
      if (row.status !== 'pending_return') {
        throw new Refusal(
          'job_not_open',
          `The delivery is ${row.status}: only a delivery that is on its way back can be returned.`,
        )
      }
      return {
        path: ['pending_return', 'returned'],
        patch: { status_reason: null },
        atMs,
        offer: { outcome: null, reason: null, live: false },
      }
    })
  return endJob(step, async () => {
    const row = await findEndedJob(deps.db, driver, nameOfJob(jobId))
    return row?.outcome === 'accepted' && row.status === 'returned' ? row : null
  })
}

function wrongParcel(
  { reference, quantity }: CollectedParcel,
  index: number,
  parcels: readonly RequestParcel[],
): Issue | null {
  const found = parcels.find((one) => one.reference === reference)
  if (!found) {
    const known = parcels.map((one) => one.reference).join(', ')
    const field = quantity === 'all' ? `parcel_references[${index}]` : `parcels[${index}].reference`
    const message = `"${reference}" is not a parcel of this job. It has ${known}.`
    return { field, issue: 'invalid_value', message }
  }
  if (quantity === 'all' || quantity <= found.quantity) return null
  const message = `There are ${found.quantity} of ${reference}, not ${quantity}.`
  return { field: `parcels[${index}].quantity`, issue: 'invalid_value', message }
}
