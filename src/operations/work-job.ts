import { type Issue, Refusal } from '../domain/errors.ts'
import { BEFORE_COLLECTION, FAIL_REASONS, type FailReason } from '../domain/own-network/job.ts'
import { findDelivery } from '../store/deliveries.ts'
import { hasProof, insertProof } from '../store/delivery-proofs.ts'
import type { Deps } from './deps.ts'
import type { DriverJob } from './driver-jobs.ts'
import type { Driver } from './driver-session.ts'
import { moveJob, notNext, wayTo } from './move-job.ts'
import { refuse } from './resolve-delivery.ts'

/** The driver is at the pickup. */
export async function approachJob(
  deps: Deps,
  driver: Driver,
  jobId: string,
  atMs: number | null,
): Promise<DriverJob> {
  return moveJob(deps, driver, jobId, (job) => {
    if (job.row.status === 'approaching') return null
    if (!BEFORE_COLLECTION.includes(job.row.status)) throw notNext(job.row.status)
    return { path: wayTo(job, 'approaching'), atMs }
  })
}

/** The driver has the parcels: all of them, or those named. Refuses names that are no parcels of this job. */
export async function collectJob(
  deps: Deps,
  driver: Driver,
  jobId: string,
  { parcelReferences, atMs }: { parcelReferences: readonly string[] | null; atMs: number | null },
): Promise<DriverJob> {
  return moveJob(deps, driver, jobId, (job) => {
    const { row } = job
    const known = row.content.parcels.map(({ reference }) => reference)
    const issues = (parcelReferences ?? []).flatMap((reference, index) =>
      known.includes(reference) ? [] : [noSuchParcel(reference, index, known)],
    )
    if (issues.length > 0) refuse(issues)
    if (row.status === 'collected') return null
    if (!BEFORE_COLLECTION.includes(row.status)) throw notNext(row.status)
    const left = known.filter((reference) => parcelReferences && !parcelReferences.includes(reference))
    return {
      path: wayTo(job, 'collected'),
      detail: left.length === 0 ? null : `Left behind at pickup: ${left.join(', ')}.`,
      exception: left.length > 0,
      atMs,
    }
  })
}

/** What the driver says of a door that stayed closed. The phone makes `failId`, so that one sent twice arrives once. */
export type Failure = { failId: string | null; reason: FailReason; note: string | null; atMs: number | null }

/** How a step left a delivery. */
export type EndedRow = Pick<DriverJob['row'], 'account_id' | 'delivery_id' | 'reference' | 'status'>

/** The driver could not deliver: another try may follow, or the parcels go back, as the reason says. */
export async function failJob(
  deps: Deps,
  driver: Driver,
  jobId: string,
  { failId, reason, note, atMs }: Failure,
): Promise<EndedRow> {
  const known = failId === null ? null : await failedBy(deps, driver, jobId, failId)
  if (known) return known
  const { row } = await moveJob(deps, driver, jobId, ({ row, entry }) => {
    const { words, goesBack } = FAIL_REASONS[reason]
    const detail = note === null ? words : `${words} ${note}`
    const { status } = row
    if (status === 'pending_return' && goesBack) return null
    if (status !== 'collected') throw notNext(status)
    return {
      path: goesBack ? ['collected', 'pending_return'] : ['collected'],
      subStatus: goesBack ? reason : 'attempted',
      patch: { status_reason: detail },
      detail,
      exception: true,
      atMs,
      also: async (db) => {
        if (failId === null) return
        const nowMs = entry.nowMs()
        await insertProof(
          db,
          { accountId: row.account_id, deliveryId: row.delivery_id },
          {
            proofId: failId,
            kind: 'photo',
            outcome: 'failed',
            phone: driver.phone,
            driverName: row.content.staffCourier?.driverName ?? '',
            signedBy: null,
            place: null,
            strokes: null,
            image: null,
            position: null,
            atMs: atMs ?? nowMs,
            receivedAtMs: nowMs,
          },
        )
      },
    }
  })
  return row
}

async function failedBy(deps: Deps, { accountIds, phone }: Driver, deliveryId: string, proofId: string) {
  const accountId = await hasProof(deps.db, accountIds, phone, { deliveryId, proofId })
  return accountId && (await findDelivery(deps.db, accountId, deliveryId))
}

/** The parcels are back at the store. */
export async function returnJob(
  deps: Deps,
  driver: Driver,
  jobId: string,
  atMs: number | null,
): Promise<DriverJob> {
  return moveJob(deps, driver, jobId, ({ row }) => {
    if (row.status !== 'pending_return') {
      throw new Refusal('job_not_open', `The delivery is ${row.status}: only what goes back can be returned.`)
    }
    return {
      path: ['pending_return', 'returned'],
      patch: { status_reason: null },
      atMs,
      offer: { outcome: null, reason: null, live: false },
    }
  })
}

function noSuchParcel(reference: string, index: number, known: readonly string[]): Issue {
  const message = `"${reference}" is not a parcel of this job. It has ${known.join(', ')}.`
  return { field: `parcel_references[${index}]`, issue: 'invalid_value', message }
}
