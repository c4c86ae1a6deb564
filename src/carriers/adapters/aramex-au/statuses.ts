import { type MappedStatus, statusChange } from '../../port/status-mapping.ts'

/**
 * `scanType`. The list is not published: integrators use these three. `P` is a pickup to some and "ready for
 * pickup" to others; either way Aramex has the parcel. Any other type changes no status and is stored as
 * received.
 */
export const SCANS: Readonly<Record<string, MappedStatus>> = {
  P: statusChange('collected'),
  T: statusChange('collected', 'in_transit'),
  D: statusChange('delivered'),
}

/**
 * A delivery scan doesn't prove that the parcel was handed over. The texts are not published: these words are
 * from what integrators report.
 */
export const NOT_TAKEN =
  /attempt|card left|calling card|closed|re-?deliver|refus|return|unable|unsuccess|could not|not (at )?(home|available|delivered)|incorrect address/i
export const ATTEMPTED = statusChange('collected', 'attempted')
