import { placeStaffCourier } from '../store/staff-couriers.ts'
import type { Deps } from './deps.ts'
import type { Driver } from './driver-session.ts'

/** Notes where a driver is, in each account that he drives for; what is older than the newest changes nothing. */
export async function placeDriver(
  deps: Deps,
  { phone, accountIds }: Driver,
  { atMs, ...position }: { lat: number; lng: number; accuracyM: number | null; atMs: number | null },
): Promise<void> {
  await Promise.all(
    accountIds.map(async (accountId) => {
      const nowMs = deps.accounts.find(accountId)?.nowMs()
      if (nowMs === undefined) return
      const placed = { ...position, atMs: Math.min(atMs ?? nowMs, nowMs) }
      await placeStaffCourier(deps.db, { accountIds: [accountId], phone }, placed)
    }),
  )
}
