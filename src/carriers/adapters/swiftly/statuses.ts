import type { Status } from '../../../domain/delivery/status.ts'

/** Swiftly's job states. An unlisted state changes no status and is stored as received. */
export const STATES: Readonly<Record<string, { status: Status | null; subStatus: string | null }>> = {
  queued: { status: null, subStatus: null },
  driver_assigned: { status: 'assigned', subStatus: null },
  driver_nearby: { status: 'approaching', subStatus: null },
  waiting_at_pickup: { status: 'approaching', subStatus: 'arrived_at_pickup' },
  driver_changed: { status: 'reassigned', subStatus: null },
  picked_up: { status: 'collected', subStatus: null },
  on_the_way: { status: 'collected', subStatus: 'out_for_delivery' },
  running_late: { status: null, subStatus: 'delayed' },
  incident_damage: { status: 'collected', subStatus: 'damaged' },
  recipient_refused: { status: 'collected', subStatus: 'attempted' },
  dropped_off: { status: 'delivered', subStatus: null },
  returning: { status: 'pending_return', subStatus: null },
  back_at_store: { status: 'returned', subStatus: null },
  cancelled: { status: 'cancelled', subStatus: null },
}
