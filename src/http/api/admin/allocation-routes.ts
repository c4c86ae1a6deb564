import { type AllocationRequest, DEFAULT_COUNT } from '../../../domain/allocation/allocation.ts'
import { rankWords } from '../../../domain/allocation/explain-ranking.ts'
import type { AllocationJob } from '../../../domain/allocation/job.ts'
import { rawAllocationIssues } from '../../../domain/allocation/resolve-allocation.ts'
import { parseTimestamp } from '../../../domain/calendar/timestamp.ts'
import { allocateStores } from '../../../operations/allocation/allocate-stores.ts'
import { getAllocation, startAllocation } from '../../../operations/allocation/allocation-jobs.ts'
import { toResolveContext } from '../../../operations/directory/caller.ts'
import { STORES_BODY } from '../../contract/body-limit.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { ALLOCATION_EXAMPLE } from '../fields/examples.ts'
import {
  AllocationAnswer,
  AllocationJobAnswer,
  AllocationRequestBody,
  AllocationStatusAnswer,
} from './allocation-schema.ts'

/** Cost in requests: an allocation may examine every store, where a quote examines one. */
const COST = 5

export const ALLOCATION_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'POST',
    url: '/:tenant_id/deliveries/quote/allocation',
    operationId: 'allocateStores',
    unaudited: 'The request only reads data; an asynchronous job only reads data, too.',
    access: 'quotes',
    tag: 'Quotes',
    summary: 'Rank stores for a destination',
    cost: COST,
    description:
      'Ranks stores for a destination by the strategy of their brand. Counts as 5 requests against the rate limit. `distance_only` ranks by distance. `time_and_distance` ranks by `est_distance_km`, then by `earliest_RFP_datetime`. `timeline_over_distance` ranks by `earliest_RFP_datetime`, then by distance. Equal stores are ordered by exact distance, then by reference. If the candidates belong to brands with different strategies, the brand that is first in the account document decides.',
    body: AllocationRequestBody,
    bodyLimit: STORES_BODY,
    example: ALLOCATION_EXAMPLE,
    moreIssues: ({ entry, caller, body }) =>
      rawAllocationIssues(entry.account, body, toResolveContext(entry, caller)),
    answers: {
      200: { description: 'The ranked stores, best first.', schema: AllocationAnswer },
      202: {
        description: 'With `use_async`: the id of a job. The job is `done` or `failed` within a minute.',
        schema: AllocationJobAnswer,
      },
    },
    refusals: [],
    async handle({ deps, entry, caller, body, keep }) {
      const request = toAllocationRequest(body)
      if (body.use_async) {
        return startAllocation(deps, entry, caller, request, async (db, job_id) => {
          const answer = json(202, { job_id })
          await keep(db, answer)
          return answer
        })
      }
      const ranks = allocateStores(entry.account, caller, request, entry.nowMs())
      return json(200, { store_allocation_ranks: ranks.map(rankWords) })
    },
  }),
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/deliveries/quote/allocation/status/:job_id',
    operationId: 'getAllocation',
    access: 'quotes',
    tag: 'Quotes',
    summary: 'Get an asynchronous store allocation',
    description:
      'Every job is `done` or `failed` within a minute. The event `allocation.completed` also reports the result. Drover keeps jobs for a week.',
    exampleCall: { path: { job_id: '$ALLOCATION_ID' } },
    answers: {
      200: { description: 'The job. A job that is `done` has the ranks.', schema: AllocationStatusAnswer },
    },
    refusals: [],
    async handle({ deps, entry, caller, params }) {
      return json(200, fromAllocationJob(await getAllocation(deps, entry, caller, params.job_id as string)))
    },
  }),
]

/** Converts a validated body into the domain’s request. */
function toAllocationRequest(body: AllocationRequestBody): AllocationRequest {
  return {
    destination: { lat: body.address.latitude, lng: body.address.longitude },
    readyForPickupAt:
      body.ready_for_pickup_at === undefined ? null : parseTimestamp(body.ready_for_pickup_at),
    storeIds: body.store_ids ?? null,
    storeReferences: body.store_references ?? null,
    count: body.recommend_store_count ?? DEFAULT_COUNT,
  }
}

function fromAllocationJob({ jobId, status, ranks, reason }: AllocationJob): Record<string, unknown> {
  return {
    job_id: jobId,
    status,
    ...(ranks && { store_allocation_ranks: ranks }),
    ...(reason !== null && { reason }),
  }
}
