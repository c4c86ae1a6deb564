import type { Pool } from 'pg'
import { batched, type PendingCall } from '../db/batching.ts'
import { isUniqueViolation } from '../db/db.ts'
import { createDeliveries, type NewDelivery } from './create-deliveries.ts'

/**
 * Batching (like DataLoader): `createDeliveries` for one call at a time. False: the reference is taken. A taken
 * idempotency key rejects with 23505, for its own call only.
 */
export function batchedCreate(db: Pool): (delivery: NewDelivery) => Promise<boolean> {
  return batched((together) => create(db, together))
}

async function create(db: Pool, together: readonly PendingCall<NewDelivery, boolean>[]): Promise<void> {
  try {
    const made = await createDeliveries(
      db,
      together.map(({ given }) => given),
    )
    for (const { given, resolve } of together) resolve(made.has(given.delivery_id))
  } catch (error) {
    if (together.length === 1 || !(isUniqueViolation(error) || isDeadlock(error))) {
      for (const { reject } of together) reject(error)
      return
    }
    // A key in the batch is taken, or another transaction holds a lock we wait for: no row was written, so each
    // delivery is created by itself.
    for (const one of together) await create(db, [one])
  }
}

/** PostgreSQL's 40P01. */
function isDeadlock(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '40P01'
}
