import type { AllocationRequest } from '../../domain/allocation/allocation.ts'
import type { AllocationJob } from '../../domain/allocation/job.ts'
import { Refusal } from '../../domain/errors.ts'
import { findAllocationJob, insertAllocationJob } from '../../store/allocation/allocation-jobs.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { candidatesOrRefuse } from './allocate-stores.ts'

/**
 * Every job is done or failed within a minute, even after a crash: workers have this long, then a read of the row marks
 * it failed.
 */
const LIFE_MS = 50_000

/**
 * Queues an allocation for the workers. Throws as `candidatesOrRefuse`, at once. `alongside` runs in the same
 * transaction, and its result is returned.
 */
export async function startAllocation<T>(
  deps: Deps,
  { account, nowMs }: AccountEntry,
  caller: Caller,
  request: AllocationRequest,
  alongside: (db: Db, jobId: string) => Promise<T>,
): Promise<T> {
  candidatesOrRefuse(account, caller, request, nowMs())
  const jobId = deps.newId('job')
  const job = {
    accountId: account.id,
    jobId,
    accountVersion: account.version,
    request,
    storeReferences: caller.storeReferences && [...caller.storeReferences],
    lifeMs: LIFE_MS,
  }
  const answer = await withTransaction(deps.db, async (db) => {
    await insertAllocationJob(db, job)
    return alongside(db, jobId)
  })
  deps.wake()
  return answer
}

/** The status of a job. Refuses `not_found`, also for a job of a client who sees more stores. */
export async function getAllocation(
  deps: Pick<Deps, 'db'>,
  { account }: AccountEntry,
  caller: Caller,
  jobId: string,
): Promise<AllocationJob> {
  const job = await findAllocationJob(deps.db, account.id, jobId)
  if (!job || !sees(caller, job)) throw new Refusal('not_found', `There is no allocation job ${jobId}.`)
  return job
}

function sees({ storeReferences }: Caller, job: AllocationJob): boolean {
  if (storeReferences === null) return true
  return job.storeReferences?.every((reference) => storeReferences.has(reference)) ?? false
}
