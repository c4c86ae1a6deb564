import type { AllocationRequest } from '../../domain/allocation/allocation.ts'
import type { RankWords } from '../../domain/allocation/explain-ranking.ts'
import type { AllocationJob } from '../../domain/allocation/job.ts'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { type Db, instant } from '../db/db.ts'
import { purgeExpired } from '../db/purge-expired.ts'
import { makeClaimer } from '../leases/claim-due.ts'

export type NewAllocationJob = {
  accountId: string
  jobId: string
  accountVersion: number
  request: AllocationRequest
  /** The stores that the asking client may see; null: all. */
  storeReferences: readonly string[] | null
  /** Wall time until it counts as failed. */
  lifeMs: number
}

/** A job as claimed by one worker. */
export type DueAllocationJob = {
  accountId: string
  jobId: string
  accountVersion: number
  request: AllocationRequest
  storeReferences: readonly string[] | null
  fence: number
  claims: number
  late: boolean
  /** The trace of the request that it goes back to. */
  traceparent: string | null
}

export type AllocationOutcome =
  | { status: 'done'; ranks: readonly RankWords[] }
  | { status: 'failed'; reason: string }

/** Keeps a job; once this is answered the job is done or failed within its life, whatever dies. */
export async function insertAllocationJob(db: Db, job: NewAllocationJob): Promise<void> {
  await db.query({
    name: 'insert-allocation-job',
    text: `insert into allocation_jobs (account_id, job_id, account_version, request, store_references, deadline, traceparent)
           values ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond', $7)`,
    values: [
      job.accountId,
      job.jobId,
      job.accountVersion,
      JSON.stringify(job.request),
      job.storeReferences,
      job.lifeMs,
      currentTraceparent(),
    ],
  })
}

/** The job as it stands; past its deadline it has failed, also while no worker is there to write it down. */
export async function findAllocationJob(
  db: Db,
  accountId: string,
  jobId: string,
): Promise<AllocationJob | null> {
  const { rows } = await db.query<AllocationJob>({
    name: 'find-allocation-job',
    text: `select job_id as "jobId", store_references as "storeReferences", ranks,
             case when finished_at is null and deadline <= now() then 'failed' else status end as status,
             case when finished_at is null and deadline <= now() then $3 else reason end as reason
           from allocation_jobs where account_id = $1 and job_id = $2`,
    values: [accountId, jobId, TOO_LATE],
  })
  return rows[0] ?? null
}

export const TOO_LATE = 'The job did not finish in time. Create it again.'

/** Claims jobs, by wall time. */
export const claimAllocationJobs = makeClaimer<DueAllocationJob>({
  name: 'claim-allocation-jobs',
  table: 'allocation_jobs',
  as: 'j',
  key: ['job_id'],
  columns: `j.account_id as "accountId", j.job_id as "jobId", j.account_version as "accountVersion",
    j.request, j.store_references as "storeReferences", j.fence, j.claims, j.deadline <= now() as late, j.traceparent`,
  due: 'j.due_at <= now()',
  set: `status = 'running'`,
  // A job has its deadline.
  notQuarantined: true,
})

/**
 * Ends a job and writes its event, in one statement. False: another worker has it now, or it is too late to be done;
 * nothing was written.
 */
export async function settleAllocationJob(
  db: Db,
  claim: Pick<DueAllocationJob, 'accountId' | 'jobId' | 'fence'>,
  outcome: AllocationOutcome,
  { eventId, atMs }: { eventId: string; atMs: number },
): Promise<boolean> {
  const ranks = outcome.status === 'done' ? outcome.ranks : null
  const reason = outcome.status === 'failed' ? outcome.reason : null
  const { rowCount } = await db.query({
    name: 'settle-allocation-job',
    text: `with ended as (
        update allocation_jobs
        set status = $4, ranks = $5, reason = $6, finished_at = now(), due_at = null, lease_until = null
        where account_id = $1 and job_id = $2 and fence = $3 and finished_at is null
          and ($4 = 'failed' or deadline > now())
        returning store_references),
      -- A part of its own, because Citus allows no correlated subquery in the select below.
      seen as (
        select coalesce(jsonb_agg(s.store_id), '[]') as store_ids
        from ended join stores as s on s.account_id = $1 and s.reference = any(ended.store_references))
      insert into events (account_id, stream, event_id, type, at, source, detail, data, traceparent)
      select $1, '', $7, 'allocation.completed', $8, 'worker', $6,
        -- Without ranks it is of the stores that its client may see.
        case when $5::json is null and store_references is not null
          then ($9::text::jsonb || jsonb_build_object('store_ids', seen.store_ids))::json
          else $9::text::json end,
        $10
      from ended cross join seen`,
    values: [
      claim.accountId,
      claim.jobId,
      claim.fence,
      outcome.status,
      ranks && JSON.stringify(ranks),
      reason,
      eventId,
      instant(atMs),
      JSON.stringify({
        job_id: claim.jobId,
        status: outcome.status,
        ...(ranks && { store_allocation_ranks: ranks }),
        ...(reason && { reason }),
      }),
      currentTraceparent(),
    ],
  })
  return rowCount === 1
}

/** Forgets jobs older than a week, a batch at a time; answers how many. */
export function purgeOldAllocationJobs(db: Db): Promise<number> {
  return purgeExpired(db, 'allocation_jobs', '7 days')
}
