import { type AllocationRequest, DEFAULT_COUNT } from '../../../domain/allocation/allocation.ts'
import type { AllocationJob } from '../../../domain/allocation/job.ts'
import { parseTimestamp } from '../../../domain/calendar/timestamp.ts'
import type { AllocationRequestBody } from './allocation-schema.ts'

/** Converts a validated body into the domain’s request. */
export function toAllocationRequest(body: AllocationRequestBody): AllocationRequest {
  return {
    destination: { lat: body.address.latitude, lng: body.address.longitude },
    readyForPickupAt:
      body.ready_for_pickup_at === undefined ? null : parseTimestamp(body.ready_for_pickup_at),
    storeIds: body.store_ids ?? null,
    storeReferences: body.store_references ?? null,
    count: body.recommend_store_count ?? DEFAULT_COUNT,
  }
}

export function fromAllocationJob({ jobId, status, ranks, reason }: AllocationJob): Record<string, unknown> {
  return {
    job_id: jobId,
    status,
    ...(ranks && { store_allocation_ranks: ranks }),
    ...(reason !== null && { reason }),
  }
}
