import { Refusal } from '../../domain/errors.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { MovedJob } from './move-job.ts'

/** How a step left a delivery that is the driver's no longer, or may not be. */
export type JobEnd = {
  row: Pick<DeliveryRow, 'account_id' | 'delivery_id' | 'reference' | 'status'>
  /** False: it was done before, and this answers it again. */
  moved: boolean
}

/**
 * A step that may take the job out of the driver's sight, so that sent again it would find none: its answer may have
 * been lost, or the phone sent it twice at once. `done` answers what became of the step if it was done already.
 */
export async function endJob(
  step: () => Promise<MovedJob>,
  done: () => Promise<JobEnd['row'] | null>,
): Promise<JobEnd> {
  try {
    return await step()
  } catch (error) {
    const row = error instanceof Refusal ? await done() : null
    if (row) return { row, moved: false }
    throw error
  }
}
