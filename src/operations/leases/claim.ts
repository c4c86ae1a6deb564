import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { extendDeliveryLease } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'

/** Lease time of a claimed row, unless the composition root sets another. */
export const LEASE_MS = 30_000
/** Minimum remaining lease before calling a carrier: twice the usual carrier timeout. Leases are longer. */
export const NEEDED_MS = 12_000

/**
 * Fencing token: a delivery leased to this process. Writes check `key.fence`, so a worker that lost its lease cannot
 * overwrite newer state.
 */
export type Claim = {
  row: Readonly<DeliveryRow>
  key: { accountId: string; deliveryId: string; fence: number }
  source: Extract<DeliveryEvent['source'], 'api' | 'worker'>
  /**
   * Call right before each carrier call: whether the lease is still held for long enough. Extends the lease if needed.
   */
  mayCall(): Promise<boolean>
}

/**
 * `claimedAtMs` is this process's monotonic clock just before the claim, because leases expire by the database's clock.
 */
export function claimOf(deps: Deps, row: DeliveryRow, claimedAtMs: number, source: Claim['source']): Claim {
  const key = { accountId: row.account_id, deliveryId: row.delivery_id, fence: row.fence }
  const mayCall = leaseGuard(deps.leaseMs, claimedAtMs, () => extendDeliveryLease(deps.db, key, deps.leaseMs))
  return { row, key, source, mayCall }
}

/** Whether a lease lasts long enough to call a carrier; extends it if needed. */
export function leaseGuard(
  leaseMs: number,
  claimedAtMs: number,
  extend: () => Promise<boolean>,
): () => Promise<boolean> {
  let leaseEndsMs = claimedAtMs + leaseMs
  return async () => {
    const askedAtMs = performance.now()
    if (leaseEndsMs - askedAtMs >= NEEDED_MS) return true
    if (!(await extend())) return false
    leaseEndsMs = askedAtMs + leaseMs
    return leaseEndsMs - performance.now() >= NEEDED_MS
  }
}
