import { type Meaning, moves } from '../../port/meaning.ts'

/**
 * Statuses of a parcel, in small letters; StarTrack and Australia Post write them with other capitals. Up to "ready
 * for pickup" nobody has it: that is by the carrier, "awaiting collection" by the addressee.
 */
export const STATUSES: Readonly<Record<string, Meaning>> = {
  created: moves(null),
  initiated: moves(null),
  sealed: moves(null),
  incomplete: moves(null),
  unconfirmed: moves(null),
  confirmed: moves(null),
  'unsuccessful pickup': moves(null, 'delayed'),
  'ready for pickup': moves(null),
  'partial pickup': moves('collected'),
  'picked up': moves('collected'),
  'in transit': moves('collected', 'in_transit'),
  'at delivery depot': moves('collected', 'in_transit'),
  'awaiting collection': moves('collected', 'held'),
  // Kept at the depot until a time that the receiver has agreed to.
  'booked in': moves('collected', 'held'),
  'on board for delivery': moves('collected', 'out_for_delivery'),
  'partial delivery': moves('collected', 'partly_delivered'),
  // Their work is done, and some of it was not delivered.
  'final shortage': moves('collected', 'undeliverable'),
  // It goes on under another number; of this one nothing more is told.
  're-consigned': moves(null, 'held'),
  delivered: moves('delivered'),
  'delivered in full': moves('delivered'),
  'item delivered': moves('delivered'),
  'possible delay': moves('collected', 'delayed'),
  'held by courier': moves('collected', 'held'),
  'to be re-delivered': moves('collected', 'attempted'),
  'unsuccessful delivery': moves('collected', 'attempted'),
  'cannot be delivered': moves('pending_return'),
  'article damaged': moves('collected', 'damaged'),
  cancelled: moves('cancelled'),
  deleted: moves('cancelled'),
}

/** A consignment's own words for all of its parcels, and for some; `delivered` may be either. */
export const IN_FULL = /^delivered in full/i
export const IN_PART = 'partial delivery'

/** Events tell no status, only words; the first line that fits. Those that fit none move nothing. */
export const SAYINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^shipping information|^manifest/i, moves(null)],
  [
    /(unsuccessful|failed|missed|cancelled) pick ?up|unable to pick ?up|pick ?up (was )?(unsuccessful|failed|missed|cancelled)/i,
    moves(null, 'delayed'),
  ],
  [/(?<!\b(be|being) )returned to (the )?sender/i, moves('returned')],
  [/return(ed|ing)? to (the )?sender|cannot be delivered|refused by/i, moves('pending_return')],
  [/re-?deliver|unable to be delivered|attempted|card left|unsuccessful/i, moves('collected', 'attempted')],
  [/partial(ly)? deliver/i, moves('collected', 'partly_delivered')],
  [/final shortage/i, moves('collected', 'undeliverable')],
  [/^(item )?delivered|(?<!\b(be|not) )delivered (in full|-|to|at)/i, moves('delivered')],
  [
    /on\s?board|with (the )?driver|with australia post for delivery|out for delivery/i,
    moves('collected', 'out_for_delivery'),
  ],
  [/(ready for|awaiting) pick ?up/i, moves(null)],
  [/(awaiting|(ready|available) for) collection|\bheld\b|booked in\b/i, moves('collected', 'held')],
  [/re-?consigned/i, moves(null, 'held')],
  [/damage/i, moves('collected', 'damaged')],
  [/delay/i, moves('collected', 'delayed')],
  [/cancel|\bdeleted\b/i, moves('cancelled')],
  [
    /received by|(?<!\b(be|not) )picked up|processed|in transit|departed|arrived|sorted|facility|at delivery depot|partial pick ?up/i,
    moves('collected', 'in_transit'),
  ],
]
