import type { Status } from '../../../domain/delivery/status.ts'

/** Southern's scan codes. An unlisted code changes no status and is stored as received. */
export const SCANS: Readonly<Record<string, { status: Status | null; subStatus: string | null }>> = {
  'MAN-0': { status: null, subStatus: null },
  'COL-1': { status: 'collected', subStatus: null },
  'TRN-1': { status: 'collected', subStatus: 'in_transit' },
  'TRN-5': { status: 'collected', subStatus: 'delayed' },
  'ONB-1': { status: 'collected', subStatus: 'out_for_delivery' },
  'EXC-2': { status: 'collected', subStatus: 'held' },
  'EXC-4': { status: 'collected', subStatus: 'damaged' },
  'EXC-7': { status: 'collected', subStatus: 'attempted' },
  'DLV-1': { status: 'delivered', subStatus: null },
  'RTS-1': { status: 'pending_return', subStatus: null },
  'RTS-9': { status: 'returned', subStatus: null },
  'CAN-1': { status: 'cancelled', subStatus: null },
}
