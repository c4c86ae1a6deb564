import type { Db } from '../../store/db/db.ts'

/**
 * Checkpoint under an idempotency key: how far the same request got before its process died or failed to respond. For
 * operations that call a carrier and therefore cannot store their response in one transaction.
 */
export type Checkpoint = {
  /** The last checkpoint. Null: there is none yet, or the request has no Idempotency-Key. */
  at: string | null
  /** Saves the checkpoint under the key, before the carrier is called. */
  note(db: Db, at: string): Promise<void>
}

export const noCheckpoint: Checkpoint = { at: null, note: async () => {} }
