import { type MappedStatus, statusChange } from '../../port/status-mapping.ts'

/**
 * Statuses of a parcel, in lower case, since StarTrack and Australia Post capitalise them differently. Up to
 * "ready for pickup" the carrier has not collected the parcel: there the carrier picks up; at "awaiting
 * collection" the addressee does.
 */
export const STATUSES: Readonly<Record<string, MappedStatus>> = {
  created: statusChange(null),
  initiated: statusChange(null),
  sealed: statusChange(null),
  incomplete: statusChange(null),
  unconfirmed: statusChange(null),
  confirmed: statusChange(null),
  'unsuccessful pickup': statusChange(null, 'delayed'),
  'ready for pickup': statusChange(null),
  'partial pickup': statusChange('collected'),
  'picked up': statusChange('collected'),
  'in transit': statusChange('collected', 'in_transit'),
  'at delivery depot': statusChange('collected', 'in_transit'),
  'awaiting collection': statusChange('collected', 'held'),
  // Held at the depot until a time agreed with the recipient.
  'booked in': statusChange('collected', 'held'),
  'on board for delivery': statusChange('collected', 'out_for_delivery'),
  'partial delivery': statusChange('collected', 'partly_delivered'),
  // The job is finished, and a part of it was not delivered.
  'final shortage': statusChange('collected', 'undeliverable'),
  // The parcel continues under another number; this one gets no more events.
  're-consigned': statusChange(null, 'held'),
  delivered: statusChange('delivered'),
  'delivered in full': statusChange('delivered'),
  'item delivered': statusChange('delivered'),
  'possible delay': statusChange('collected', 'delayed'),
  'held by courier': statusChange('collected', 'held'),
  'to be re-delivered': statusChange('collected', 'attempted'),
  'unsuccessful delivery': statusChange('collected', 'attempted'),
  'cannot be delivered': statusChange('pending_return'),
  'article damaged': statusChange('collected', 'damaged'),
  cancelled: statusChange('cancelled'),
  deleted: statusChange('cancelled'),
}

/**
 * A consignment's own texts for "all parcels delivered" and "some delivered"; `delivered` may mean either.
 */
export const IN_FULL = /^delivered in full/i
export const IN_PART = 'partial delivery'

/**
 * Events have a text but no status; the first pattern that matches decides. Without a match the status
 * doesn't change.
 */
export const STATUS_PATTERNS: readonly (readonly [RegExp, MappedStatus])[] = [
  [/^shipping information|^manifest/i, statusChange(null)],
  [
    /(unsuccessful|failed|missed|cancelled) pick ?up|unable to pick ?up|pick ?up (was )?(unsuccessful|failed|missed|cancelled)/i,
    statusChange(null, 'delayed'),
  ],
  [/(?<!\b(be|being) )returned to (the )?sender/i, statusChange('returned')],
  [/return(ed|ing)? to (the )?sender|cannot be delivered|refused by/i, statusChange('pending_return')],
  [
    /re-?deliver|unable to be delivered|attempted|card left|unsuccessful/i,
    statusChange('collected', 'attempted'),
  ],
  [/partial(ly)? deliver/i, statusChange('collected', 'partly_delivered')],
  [/final shortage/i, statusChange('collected', 'undeliverable')],
  [/^(item )?delivered|(?<!\b(be|not) )delivered (in full|-|to|at)/i, statusChange('delivered')],
  [
    /on\s?board|with (the )?driver|with australia post for delivery|out for delivery/i,
    statusChange('collected', 'out_for_delivery'),
  ],
  [/(ready for|awaiting) pick ?up/i, statusChange(null)],
  [/(awaiting|(ready|available) for) collection|\bheld\b|booked in\b/i, statusChange('collected', 'held')],
  [/re-?consigned/i, statusChange(null, 'held')],
  [/damage/i, statusChange('collected', 'damaged')],
  [/delay/i, statusChange('collected', 'delayed')],
  [/cancel|\bdeleted\b/i, statusChange('cancelled')],
  [
    /received by|(?<!\b(be|not) )picked up|processed|in transit|departed|arrived|sorted|facility|at delivery depot|partial pick ?up/i,
    statusChange('collected', 'in_transit'),
  ],
]
