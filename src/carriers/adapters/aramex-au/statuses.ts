import { type MappedStatus, statusChange } from '../../port/status-mapping.ts'

/**
 * `scanType`. The list is not published: these three are read by integrators. `P` is a pickup to some and "ready for
 * pickup" to others; either way Aramex has it. Any other moves nothing and is kept as it was said.
 */
export const SCANS: Readonly<Record<string, MappedStatus>> = {
  P: statusChange('collected'),
  T: statusChange('collected', 'in_transit'),
  D: statusChange('delivered'),
}

/** A scan at the door need not be a parcel handed over. The words are not published: what people write of it. */
export const NOT_TAKEN =
  /attempt|card left|calling card|closed|re-?deliver|refus|return|unable|unsuccess|could not|not (at )?(home|available|delivered)|incorrect address/i
export const ATTEMPTED = statusChange('collected', 'attempted')
