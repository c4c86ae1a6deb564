import { z } from 'zod'
import { DEFAULT_COUNT, MAX_COUNT } from '../../../domain/allocation/allocation.ts'
import { referenceText, requestTime, windowTime } from '../fields/text.ts'

const candidates = z.array(referenceText()).min(1)

export const AllocationRequestBody = z
  .strictObject({
    address: z
      .strictObject({
        // Without bounds: a latitude above 90 is usually a longitude, and `resolve-allocation.ts` says so.
        latitude: z
          .number()
          .meta({ description: 'Latitude in degrees, from -90 to 90, negative in the south.' }),
        longitude: z.number().min(-180).max(180).meta({ description: 'Longitude in degrees.' }),
      })
      .meta({ id: 'AllocationAddress' }),
    ready_for_pickup_at: requestTime.optional().meta({
      description:
        'When the order is ready. Absent: ready now. A time without an offset is local time at each store.',
    }),
    store_ids: candidates.optional().meta({
      description:
        'The candidate stores. They take precedence over `store_references`. If both fields are absent, all stores are candidates.',
    }),
    store_references: candidates.optional().meta({ examples: [['melbourne-cbd', 'fitzroy']] }),
    recommend_store_count: z
      .int()
      .min(1)
      .max(MAX_COUNT)
      .optional()
      .meta({ description: `The number of ranked stores to return. Default: ${DEFAULT_COUNT}.` }),
    use_async: z
      .boolean()
      .optional()
      .meta({ description: 'Returns 202 with a `job_id` to poll, instead of the ranks.' }),
  })
  .meta({ id: 'AllocationRequest' })
export type AllocationRequestBody = z.infer<typeof AllocationRequestBody>

const StoreAllocationRank = z
  .strictObject({
    rank: z.int().min(1),
    store_id: z.string(),
    store_reference: z.string(),
    est_distance_km: z.int().min(0),
    earliest_processing_datetime: windowTime.optional().meta({
      description:
        'The first time in trading hours after the order is ready. Absent: the store does not open before the end of 2030.',
    }),
    earliest_RFP_datetime: windowTime.optional().meta({
      description:
        'The earliest time within pickup hours at which a courier can collect, after the store has processed the order in trading hours. Present with the strategies `time_and_distance` and `timeline_over_distance`.',
    }),
  })
  .meta({ id: 'StoreAllocationRank' })

const ranks = z.array(StoreAllocationRank)

export const AllocationAnswer = z
  .strictObject({ store_allocation_ranks: ranks })
  .meta({ id: 'AllocationAnswer' })

export const AllocationJobAnswer = z
  .strictObject({ job_id: z.string().meta({ examples: ['job_01kax3v8y2m4s6t8w0z2b4d6f8'] }) })
  .meta({ id: 'AllocationJobAnswer' })

export const AllocationStatusAnswer = z
  .strictObject({
    job_id: z.string(),
    status: z.enum(['queued', 'running', 'done', 'failed']),
    store_allocation_ranks: ranks.optional().meta({ description: 'Present when the job is `done`.' }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'The reason for the failure. Present when the job has `failed`.' }),
  })
  .meta({ id: 'AllocationStatusAnswer' })
