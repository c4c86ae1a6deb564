import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { extendDeliveryLease } from '../../store/deliveries/due-deliveries.ts'
import type { ClaimSize } from '../../store/leases/claim-due.ts'
import type { DueQueue } from '../../store/leases/find-due-accounts.ts'
import type { AccountNows, QuarantineSlots } from '../../store/leases/poison-row-quarantine.ts'
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
export function toClaim(deps: Deps, row: DeliveryRow, claimedAtMs: number, source: Claim['source']): Claim {
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

/**
 * Dead letter: a row that has been claimed this often without a final result is taken out of the queue for the
 * operator.
 */
export const MAX_CLAIMS = 8

/** A leased row, and this process's monotonic clock just before the claim. */
export type Leased<Row> = { row: Row; claimedAtMs: number }

/**
 * Leases up to `limit` due rows of all accounts to this process, each account by its own clock. `suspects`: the free
 * quarantine slots.
 */
export async function claimDue<Row>(
  deps: Deps,
  { queue, limit, suspects }: { queue: DueQueue; limit: number; suspects: QuarantineSlots },
  claim: (db: Deps['db'], nows: AccountNows, size: ClaimSize) => Promise<Row[]>,
): Promise<Leased<Row>[]> {
  const nows = await dueAccountNows(deps, queue)
  const claimedAtMs = performance.now()
  const rows = await claim(deps.db, nows, { limit, leaseMs: deps.leaseMs, suspects })
  return rows.map((row) => ({ row, claimedAtMs }))
}

/** The accounts that have something due in a queue, and their clocks, in the order in which a claim serves them. */
export async function dueAccountNows(
  deps: Pick<Deps, 'accounts' | 'inFlight' | 'dueAccounts'>,
  queue: DueQueue,
): Promise<AccountNows> {
  return inFairOrder(deps, await deps.dueAccounts(queue))
}

/**
 * A full claim takes rows of the first accounts only, so the accounts with the fewest rows of this kind in flight in
 * this process sort first. An account with few due rows then waits for the next claim at most, however many rows the
 * others have. Ties are broken at random.
 */
export function inFairOrder(
  { accounts, inFlight }: Pick<Deps, 'accounts' | 'inFlight'>,
  accountIds: Iterable<string>,
): AccountNows {
  const drawn = [...accountIds]
    .filter((accountId) => accounts.head(accountId))
    .map((accountId) => ({ accountId, inFlight: inFlight.of(accountId), lot: Math.random() }))
    .sort((a, b) => a.inFlight - b.inFlight || a.lot - b.lot)
  return {
    accountIds: drawn.map(({ accountId }) => accountId),
    nowsMs: drawn.map(({ accountId }) => accounts.nowMs(accountId)),
  }
}
