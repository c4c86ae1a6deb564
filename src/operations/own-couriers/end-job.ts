import { Refusal } from '../../domain/errors.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { MovedJob } from './move-job.ts'

/** The result of a step after which the driver may no longer see the delivery. */
export type JobEnd = {
  row: Pick<DeliveryRow, 'account_id' | 'delivery_id' | 'reference' | 'status'>
  /** False: the step was done before, and this repeats its answer. */
  moved: boolean
}

/**
 * Runs a step that may remove the job from the driver's view, so that a repeat would find no job: the first answer may
 * have been lost, or the phone sent the step twice at once. `done` returns the result of a step that was already done.
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
