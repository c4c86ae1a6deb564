import { placeStaffCourier } from '../../store/own-couriers/staff-couriers.ts'
import type { Deps } from '../deps.ts'
import type { Driver } from './driver-session.ts'

/** Records a driver's position in each of their accounts; `atMs` is the phone's clock, null: now. */
export async function placeDriver(
  deps: Deps,
  { phone, accountIds }: Driver,
  position: { lat: number; lng: number; accuracyM: number | null; atMs: number | null },
): Promise<void> {
  const known = accountIds.filter((accountId) => deps.accounts.head(accountId))
  const nows = { accountIds: known, nowsMs: known.map((accountId) => deps.accounts.nowMs(accountId)) }
  await placeStaffCourier(deps.db, phone, nows, position)
}
