import { z } from 'zod'
import { DEFAULT_COUNT, MOST_COUNT } from '../../../domain/allocation/allocation.ts'
import { referenceText, requestTime, windowTime } from '../fields/text.ts'

const candidates = z.array(referenceText()).min(1)

export const AllocationRequestBody = z
  .strictObject({
    address: z
      .strictObject({
        latitude: z.number().min(-90).max(90).meta({ description: 'Degrees, negative in the south.' }),
        longitude: z.number().min(-180).max(180).meta({ description: 'Degrees.' }),
      })
      .meta({ id: 'AllocationAddress' }),
    ready_for_pickup_at: requestTime.optional().meta({
      description: 'Ready at once where absent. Without an offset it is the local time of each store.',
    }),
    store_ids: candidates.optional().meta({
      description: 'Candidate stores. Wins over `store_references`; without either all stores are.',
    }),
    store_references: candidates.optional().meta({ examples: [['melbourne-cbd', 'fitzroy']] }),
    recommend_store_count: z
      .int()
      .min(1)
      .max(MOST_COUNT)
      .optional()
      .meta({ description: `How many ranked stores to answer; ${DEFAULT_COUNT} where absent.` }),
    use_async: z
      .boolean()
      .optional()
      .meta({ description: 'Answers 202 with a job to ask for, instead of the ranks.' }),
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
      description: 'First trading moment once the order is ready. Absent: it does not open before 2031.',
    }),
    earliest_RFP_datetime: windowTime.optional().meta({
      description:
        'When a courier could have it: processed in trading hours, waiting for pickup hours. Under `time_and_distance` and `timeline_over_distance`.',
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
    store_allocation_ranks: ranks.optional().meta({ description: 'Once it is done.' }),
    reason: z.string().optional().meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'AllocationStatusAnswer' })
