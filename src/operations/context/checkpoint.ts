import type { Db } from '../../store/db/db.ts'

/**
 * How far the same request had come before its process died or could not answer. For work that cannot keep its answer
 * in one transaction, as a carrier is asked in between.
 */
export type Checkpoint = {
  /** What was noted last; null: nothing, or there is no Idempotency-Key to know it by. */
  at: string | null
  /** Notes it under the key, before the carrier is asked. */
  note(db: Db, at: string): Promise<void>
}

export const noCheckpoint: Checkpoint = { at: null, note: async () => {} }
