import { rankWords } from '../../domain/allocation/explain-ranking.ts'
import { Refusal } from '../../domain/errors.ts'
import { noteFailure } from '../../observability/tracing/current.ts'
import {
  type AllocationOutcome,
  claimAllocationJobs,
  type DueAllocationJob,
  settleAllocationJob,
  TOO_LATE,
} from '../../store/allocation/allocation-jobs.ts'
import type { Deps } from '../deps.ts'
import { dueAccountNows } from '../leases/claim.ts'
import { allocateStores } from './allocate-stores.ts'

/** Ranking takes milliseconds; a worker that has not finished a job by now has crashed. */
const LEASE_MS = 10_000
/** Dead letter: after this many claims a job counts as failed, because it may be crashing the workers. */
const MAX_CLAIMS = 3

/** Leases up to `limit` waiting jobs of all accounts to this process. */
export async function claimAllocations(deps: Deps, limit: number): Promise<DueAllocationJob[]> {
  return claimAllocationJobs(deps.db, await dueAccountNows(deps, 'allocations'), { limit, leaseMs: LEASE_MS })
}

/**
 * Finishes each claimed job. A job that fails through a bug of ours is logged, and claimed again when its lease ends.
 */
export async function runAllocations(deps: Deps, jobs: readonly DueAllocationJob[]): Promise<void> {
  await Promise.all(
    jobs.map(async (job) => {
      try {
        await runAllocation(deps, job)
      } catch (error) {
        noteFailure(error)
        deps.log.error({ err: error, job: job.jobId }, 'an allocation failed; its lease will end')
      }
    }),
  )
}

async function runAllocation(deps: Deps, job: DueAllocationJob): Promise<void> {
  const atMs = deps.accounts.nowMs(job.accountId)
  const outcome = await computeOutcome(deps, job, atMs)
  await settleAllocationJob(deps.db, job, outcome, { eventId: deps.newId('evt'), atMs })
}

async function computeOutcome(deps: Deps, job: DueAllocationJob, nowMs: number): Promise<AllocationOutcome> {
  if (job.late) return { status: 'failed', reason: TOO_LATE }
  if (job.claims > MAX_CLAIMS) {
    deps.log.error({ job: job.jobId }, 'allocation given up')
    return { status: 'failed', reason: `Given up after ${MAX_CLAIMS} attempts that did not finish.` }
  }
  const account = await deps.accounts.atVersion(job.accountId, job.accountVersion)
  const sight = { storeReferences: job.storeReferences && new Set(job.storeReferences) }
  try {
    const ranks = allocateStores(account, sight, job.request, nowMs)
    return { status: 'done', ranks: ranks.map(rankWords) }
  } catch (error) {
    // The request was valid when it was made; a changed clock can invalidate it.
    if (error instanceof Refusal) return { status: 'failed', reason: error.message }
    throw error
  }
}
