import { Refusal } from '../../domain/errors.ts'
import { BEFORE_COLLECTION, generatedArticleIds, toConsignmentNumber } from '../../domain/own-network/job.ts'
import { type DriverJobRow, findEndedJob } from '../../store/own-couriers/courier-offers.ts'
import type { Deps } from '../deps.ts'
import { type DriverJob, nameOfJob } from './driver-jobs.ts'
import type { ActingDriver } from './driver-session.ts'
import { endJob, type JobEnd } from './end-job.ts'
import { type MovedJob, moveJob, notNext, type Step } from './move-job.ts'

/**
 * Accepts a job: it is booked and assigned at once under a consignment number of ours, and can then no longer be
 * amended. `version` is the job version that the driver saw; if the job was amended since, refuses `version_conflict`.
 * Accepting an accepted job again changes nothing.
 */
export async function acceptJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  version: number | null,
): Promise<MovedJob> {
  return moveJob(deps, driver, jobId, ({ row, entry }) => {
    if (row.outcome === 'accepted') return null
    if (row.status !== 'requested') throw notNext(row.status)
    if (version !== null && version !== row.content_version) {
      throw new Refusal(
        'version_conflict',
        'The store has changed this job since you read it: look at it again.',
      )
    }
    const consignmentNumber = toConsignmentNumber(row.delivery_id)
    return {
      path: ['requested', 'booked', 'assigned'],
      patch: {
        status_reason: null,
        consignment_number: consignmentNumber,
        articles: generatedArticleIds(consignmentNumber, row.content.parcels),
        booked_at: entry.nowMs(),
        due_at: null,
      },
      detail: `${driverName(row)} takes it.`,
      offer: { outcome: 'accepted', reason: null, live: true },
    }
  })
}

/**
 * Declines an offer, or returns a job whose parcels are not collected yet: it goes back to the store, on hold with the
 * reason, for another courier. A repeat gets the same answer as the first time.
 */
export async function refuseJob(
  deps: Deps,
  driver: ActingDriver,
  jobId: string,
  reason: string | null,
): Promise<JobEnd> {
  const step = ({ row }: Pick<DriverJob, 'row'>): Step => {
    const taken = BEFORE_COLLECTION.includes(row.status)
    if (row.status !== 'requested' && !taken) throw notNext(row.status)
    const verb = taken ? 'gave it back' : 'turned it down'
    const words = `${driverName(row)} ${verb}${reason === null ? '.' : `: ${reason}`}`
    return {
      path: taken ? [row.status, 'reassigned', 'requested', 'on_hold'] : ['requested', 'on_hold'],
      patch: { status_reason: words, due_at: null, ...NOT_CONSIGNED },
      detail: words,
      offer: { outcome: taken ? 'given_back' : 'refused', reason, live: false },
    }
  }
  return endJob(
    () => moveJob(deps, driver, jobId, step),
    async () => {
      const row = await findEndedJob(deps.db, driver, nameOfJob(jobId))
      // Another courier may have it by now, which this driver must not see.
      return row?.outcome === 'refused' || row?.outcome === 'given_back'
        ? { ...row, status: 'on_hold' }
        : null
    },
  )
}

/** Fields that are cleared when a delivery no longer has a courier. */
export const NOT_CONSIGNED = {
  consignment_number: null,
  carrier_ref: null,
  articles: [],
  booked_at: null,
} as const

export function driverName({ content }: Pick<DriverJobRow, 'content'>): string {
  return content.staffCourier?.driverName ?? 'The courier'
}
