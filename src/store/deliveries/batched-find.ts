import type { Pool } from 'pg'
import { batched, type PendingCall } from '../db/batching.ts'
import { findDeliveries } from './deliveries.ts'
import type { DeliveryRow } from './delivery-rows.ts'

export type DeliveryKey = { accountId: string; deliveryId: string }

/** Batching (like DataLoader): the current delivery of a key, or null. Concurrent calls share a statement. */
export function batchedFind(db: Pool): (key: DeliveryKey) => Promise<DeliveryRow | null> {
  return batched((together) => find(db, together))
}

async function find(
  db: Pool,
  together: readonly PendingCall<DeliveryKey, DeliveryRow | null>[],
): Promise<void> {
  try {
    const rows = await findDeliveries(
      db,
      together.map(({ given }) => given),
    )
    const found = new Map(rows.map((row) => [nameOf(row.account_id, row.delivery_id), row]))
    for (const { given, resolve } of together) {
      resolve(found.get(nameOf(given.accountId, given.deliveryId)) ?? null)
    }
  } catch (error) {
    for (const { reject } of together) reject(error)
  }
}

function nameOf(accountId: string, deliveryId: string): string {
  return `${accountId}\n${deliveryId}`
}
