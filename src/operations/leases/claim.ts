import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { extendDeliveryLease } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../context/deps.ts'

/** How long a claimed row is its worker's alone, unless the wiring says otherwise. */
export const LEASE_MS = 30_000
/** A call is only begun with this much lease left: a usual carrier time-out twice over. Leases are longer. */
export const NEEDED_MS = 12_000

/** A delivery that this process alone may work on, until its lease ends. */
export type Claim = {
  row: DeliveryRow
  key: { accountId: string; deliveryId: string; fence: number }
  source: Extract<DeliveryEvent['source'], 'api' | 'worker'>
  /** Asked right before each call to a carrier: still ours, for long enough? Extends the lease if need be. */
  mayCall(): Promise<boolean>
}

/** `claimedAtMs` is this process's monotonic clock just before the row was claimed: leases end by the database's. */
export function claimOf(deps: Deps, row: DeliveryRow, claimedAtMs: number, source: Claim['source']): Claim {
  const key = { accountId: row.account_id, deliveryId: row.delivery_id, fence: row.fence }
  const mayCall = leaseGuard(deps.leaseMs, claimedAtMs, () => extendDeliveryLease(deps.db, key, deps.leaseMs))
  return { row, key, source, mayCall }
}

/** Whether a lease still holds for long enough to call a carrier; extends it if need be. */
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
