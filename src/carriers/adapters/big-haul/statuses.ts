import type { Status } from '../../../domain/delivery/status.ts'

/** Big Haul's scans. An unlisted scan changes no status and is stored as received. */
export const SCANS: Readonly<Record<string, { status: Status | null; subStatus: string | null }>> = {
  ALLOCATED: { status: null, subStatus: null },
  PICKUP: { status: 'collected', subStatus: null },
  LINEHAUL: { status: 'collected', subStatus: 'in_transit' },
  'HELD AT DEPOT': { status: 'collected', subStatus: 'held' },
  'ON FOR DELIVERY': { status: 'collected', subStatus: 'out_for_delivery' },
  DAMAGED: { status: 'collected', subStatus: 'damaged' },
  REFUSED: { status: 'collected', subStatus: 'attempted' },
  POD: { status: 'delivered', subStatus: null },
  RTS: { status: 'pending_return', subStatus: null },
  RETURNED: { status: 'returned', subStatus: null },
  CANCELLED: { status: 'cancelled', subStatus: null },
}
