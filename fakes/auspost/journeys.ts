/** One tracking step: its time after the order, and its place. `to` and `from` are the suburbs of the parties. */
type Step = { afterHours: number; description: string; status: string; at?: 'from' | 'to' | 'hub' }

const APPROVED: Step = {
  afterHours: 0,
  description: 'Shipping information approved by Australia Post',
  status: 'Initiated',
}
const RECEIVED: Step = {
  afterHours: 4,
  description: 'Received by Australia Post',
  status: 'In transit',
  at: 'from',
}
const PROCESSED: Step = {
  afterHours: 9,
  description: 'Item processed at facility',
  status: 'In transit',
  at: 'hub',
}
const ONBOARD: Step = {
  afterHours: 30,
  description: 'Onboard for delivery',
  status: 'On Board for Delivery',
  at: 'to',
}
const MOVING = [APPROVED, RECEIVED, PROCESSED]

const step = (afterHours: number, description: string, status: string): Step => ({
  afterHours,
  description,
  status,
  at: 'to',
})
const DELIVERED = step(34, 'Delivered', 'Delivered')

/**
 * The possible journeys of a parcel, by name; hours since its order. Descriptions and statuses were seen in
 * public.
 */
const JOURNEYS = {
  delivered: [...MOVING, ONBOARD, DELIVERED],
  safe_place: [...MOVING, ONBOARD, step(34, 'Delivered - Left in a safe place', 'Delivered')],
  carded: [
    ...MOVING,
    ONBOARD,
    step(33, 'Unable to be delivered - No one home, card left', 'Unsuccessful Delivery'),
    step(36, 'Awaiting collection', 'Awaiting collection'),
    step(60, 'Delivered', 'Delivered'),
  ],
  redelivered: [
    ...MOVING,
    ONBOARD,
    step(33, 'To be re-delivered', 'To be Re-Delivered'),
    step(57, 'Delivered', 'Delivered'),
  ],
  refused: [
    ...MOVING,
    ONBOARD,
    step(33, 'Cannot be delivered - Refused by recipient', 'Cannot be delivered'),
  ],
  delayed: [
    ...MOVING,
    { ...PROCESSED, afterHours: 20, description: 'Possible delay', status: 'Possible delay' },
  ],
  held: [
    ...MOVING,
    { ...PROCESSED, afterHours: 20, description: 'Held by courier', status: 'Held by courier' },
  ],
  damaged: [
    ...MOVING,
    { ...PROCESSED, afterHours: 20, description: 'Article damaged', status: 'Article damaged' },
  ],
  not_picked_up: [
    APPROVED,
    { ...RECEIVED, afterHours: 2, description: 'Unsuccessful pickup', status: 'Unsuccessful pickup' },
  ],
  cancelled: [APPROVED, step(2, 'Cancelled', 'Cancelled')],
  lost: MOVING,
} as const satisfies Record<string, readonly Step[]>

export type JourneyName = keyof typeof JOURNEYS

export const JOURNEY_NAMES = Object.keys(JOURNEYS) as [JourneyName, ...JourneyName[]]

export function stepsOf(journey: JourneyName): readonly Step[] {
  return JOURNEYS[journey]
}

/** A state's sorting centre. */
export const HUBS: Readonly<Record<string, string>> = {
  ACT: 'CANBERRA ACT',
  NSW: 'CHULLORA NSW',
  NT: 'DARWIN NT',
  QLD: 'REDBANK QLD',
  SA: 'ADELAIDE AIRPORT SA',
  TAS: 'HOBART TAS',
  VIC: 'SUNSHINE WEST VIC',
  WA: 'PERTH AIRPORT WA',
}
