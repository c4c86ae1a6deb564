import type { Pool } from 'pg'
import { batched, type PendingCall } from '../db/batching.ts'
import { isUniqueViolation } from '../db/db.ts'
import { engineOf, isCluster } from '../db/engine.ts'
import { createDeliveries, type NewDelivery } from '../deliveries/create-deliveries.ts'
import { createOnNode } from './create-on-node.ts'
import { groupByNode } from './nodes-of-accounts.ts'

/**
 * Batching (like DataLoader): `createDeliveries` for one call at a time. False: the reference is taken. A taken
 * idempotency key rejects with 23505, for its own call only. On Citus, calls for accounts on one node are one statement.
 */
export function batchedCreate(db: Pool): (delivery: NewDelivery) => Promise<boolean> {
  return batched((together) => createByNode(db, together), { startsAtOnce: true })
}

type Call = PendingCall<NewDelivery, boolean>

async function createByNode(db: Pool, together: readonly Call[]): Promise<void> {
  if (!isCluster(db)) return create(db, together)
  try {
    const groups = await groupByNode(db, together, ({ given }) => given.account_id)
    await Promise.all(groups.map((some) => create(db, some)))
  } catch (error) {
    // The nodes could not be read: nothing was sent.
    for (const { reject } of together) reject(error)
  }
}

async function create(db: Pool, together: readonly Call[]): Promise<void> {
  try {
    const write = engineOf(db) === 'citus' ? createOnNode : createDeliveries
    const made = await write(
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
