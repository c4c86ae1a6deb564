import { type Meaning, moves } from '../meaning.ts'

/** Statuses of a parcel, in small letters; StarTrack and Australia Post write them with other capitals. */
export const STATUSES: Readonly<Record<string, Meaning>> = {
  created: moves(null),
  initiated: moves(null),
  sealed: moves(null),
  'in transit': moves('collected', 'in_transit'),
  'awaiting collection': moves('collected', 'held'),
  'ready for pickup': moves('collected', 'held'),
  'on board for delivery': moves('collected', 'out_for_delivery'),
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
}

/** Events tell no status, only words; the first line that fits. Those that fit none move nothing. */
export const SAYINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^shipping information|^manifest/i, moves(null)],
  [/returned to (the )?sender/i, moves('returned')],
  [/return(ing)? to (the )?sender|cannot be delivered|refused by/i, moves('pending_return')],
  [/re-?deliver|unable to be delivered|attempted|card left|unsuccessful/i, moves('collected', 'attempted')],
  [/^delivered|delivered (in full|-|to|at)/i, moves('delivered')],
  [/on\s?board|with (the )?driver|out for delivery/i, moves('collected', 'out_for_delivery')],
  [/awaiting collection|ready for (pick ?up|collection)|held/i, moves('collected', 'held')],
  [/damage/i, moves('collected', 'damaged')],
  [/delay/i, moves('collected', 'delayed')],
  [/cancel/i, moves('cancelled')],
  [
    /received by|picked up|processed|in transit|departed|arrived|sorted|facility/i,
    moves('collected', 'in_transit'),
  ],
]
