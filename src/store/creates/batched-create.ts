import type { Pool } from 'pg'
import { batched, type PendingCall, wasRefused } from '../db/batching.ts'
import { engineOf, isCluster } from '../db/engine.ts'
import { createDeliveries, type NewDelivery } from '../deliveries/create-deliveries.ts'
import { createOnNode } from './create-on-node.ts'
import { nodeFinder } from './nodes-of-accounts.ts'

type Call = PendingCall<NewDelivery, boolean>

/**
 * Batching (like DataLoader): creates one delivery; concurrent calls share a statement. False: the reference is taken. If
 * the idempotency key is taken, only that call rejects, with 23505. On Citus each node has its own batches, so a slow
 * node does not delay creates on the others.
 */
export function batchedCreate(db: Pool): (delivery: NewDelivery) => Promise<boolean> {
  const newBatches = () =>
    batched((together: readonly Call[]) => create(db, together), { startsAtOnce: true })
  const onOneNode = newBatches()
  const byNode = new Map<number, typeof onOneNode>()
  const findNode = nodeFinder(db)
  const onItsNode = async (delivery: NewDelivery): Promise<boolean> => {
    const node = await findNode(delivery.account_id)
    const batches = byNode.get(node) ?? newBatches()
    byNode.set(node, batches)
    return batches(delivery)
  }
  return (delivery) => (isCluster(db) ? onItsNode(delivery) : onOneNode(delivery))
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
    if (together.length === 1 || !wasRefused(error)) {
      for (const { reject } of together) reject(error)
      return
    }
    // The database wrote no row, for example because of a duplicate key or a deadlock. Each delivery gets its own
    // statement.
    for (const one of together) await create(db, [one])
  }
}
