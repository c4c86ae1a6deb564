import type { Pool } from 'pg'
import { batched, type PendingCall } from '../db/batching.ts'
import { isUniqueViolation } from '../db/db.ts'
import { createDeliveries, type NewDelivery } from './create-deliveries.ts'

/**
 * `createDeliveries` for one caller at a time. False: the reference is taken. A taken key rejects with 23505, for its
 * own caller only.
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
    // One caller's key is taken, or others hold what we wait for: nothing was done, so each is asked alone.
    for (const one of together) await create(db, [one])
  }
}

/** PostgreSQL's 40P01. */
function isDeadlock(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '40P01'
}
