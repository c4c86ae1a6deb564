import type { StaffCourierProfile } from '../../shared/api.generated.ts'
import { formatMoment } from '../../shared/times.ts'
import { useCouriers } from '../couriers-of.ts'
import { usePortal } from '../portal.ts'

/** The active couriers of a store. */
export function useOwnCouriers(storeId: string) {
  const { data, ...query } = useCouriers()
  return { ...query, data: data?.filter((one) => one.store_id === storeId && one.active) }
}

export function LastSeen({ courier, zone }: { courier: StaffCourierProfile; zone: string }) {
  const { nowMs } = usePortal()
  const { last_seen_at } = courier
  return (
    <span className="dim">
      {last_seen_at
        ? `last seen ${formatMoment(Date.parse(last_seen_at), zone, nowMs())}`
        : 'hasn’t used the app yet'}
    </span>
  )
}
