/**
 * State machine of a delivery: every status, in the order of an ordinary delivery. Return to sender is `pending_return`,
 * then `returned`.
 */
export const STATUSES = [
  'created',
  'requested',
  'on_hold',
  'booked',
  'assigned',
  'approaching',
  'collected',
  'delivered',
  'reassigned',
  'pending_return',
  'returned',
  'cancelled',
] as const
export type Status = (typeof STATUSES)[number]

export type StatusEvent =
  | 'delivery.requested'
  | 'delivery.booked'
  | 'delivery.on_hold'
  | 'delivery.cancelled'
  | 'delivery.status_changed'

/** Every transition, and the event that it records. Transitions that are not listed are not allowed. */
export const TRANSITIONS = {
  created: { requested: 'delivery.requested', cancelled: 'delivery.cancelled' },
  requested: { booked: 'delivery.booked', on_hold: 'delivery.on_hold', cancelled: 'delivery.cancelled' },
  on_hold: { requested: 'delivery.requested', cancelled: 'delivery.cancelled' },
  booked: {
    assigned: 'delivery.status_changed',
    collected: 'delivery.status_changed',
    reassigned: 'delivery.status_changed',
    cancelled: 'delivery.cancelled',
  },
  assigned: {
    approaching: 'delivery.status_changed',
    collected: 'delivery.status_changed',
    reassigned: 'delivery.status_changed',
    cancelled: 'delivery.cancelled',
  },
  approaching: {
    collected: 'delivery.status_changed',
    reassigned: 'delivery.status_changed',
    cancelled: 'delivery.cancelled',
  },
  collected: {
    delivered: 'delivery.status_changed',
    pending_return: 'delivery.status_changed',
    reassigned: 'delivery.status_changed',
  },
  reassigned: {
    assigned: 'delivery.status_changed',
    booked: 'delivery.booked',
    requested: 'delivery.requested',
  },
  pending_return: { returned: 'delivery.status_changed' },
  delivered: {},
  returned: {},
  cancelled: {},
} as const satisfies Record<Status, Partial<Record<Status, StatusEvent>>>

/** The event of a transition, or null when the transition is not allowed. */
export function transition(from: Status, to: Status): StatusEvent | null {
  const edges: Partial<Record<Status, StatusEvent>> = TRANSITIONS[from]
  return edges[to] ?? null
}

/** A delivery in a final status never changes again, even if its carrier sends a later update. */
export function isFinal(status: Status): boolean {
  return Object.keys(TRANSITIONS[status]).length === 0
}

const ACTIONS = {
  amend: ['requested', 'on_hold'],
  book: ['requested', 'on_hold'],
  cancel: ['created', 'requested', 'on_hold', 'booked', 'assigned', 'approaching'],
  // A carrier has accepted it and has not collected it.
  reassign: ['booked', 'assigned', 'approaching'],
  // Interface rule 3: booked. Also collected ones, because the carrier wants the manifest even if it
  // collected first.
  manifest: ['booked', 'assigned', 'approaching', 'collected'],
  label: [
    'booked',
    'assigned',
    'approaching',
    'collected',
    'reassigned',
    'delivered',
    'pending_return',
    'returned',
  ],
  track: ['booked', 'assigned', 'approaching', 'collected', 'reassigned', 'pending_return'],
} satisfies Record<string, Status[]>

/** `can('cancel', delivery)`: the operations and the portal's buttons share this check. */
export function can(action: keyof typeof ACTIONS, delivery: { status: Status }): boolean {
  const statuses: Status[] = ACTIONS[action]
  return statuses.includes(delivery.status)
}

/** Whether there is a proof of delivery: our own couriers always need one to deliver, carriers may send theirs later. */
export function hasProof(delivery: {
  status: Status
  content: { staffCourier: object | null }
  hasCarrierProof: boolean
}): boolean {
  const { status, content, hasCarrierProof } = delivery
  return status === 'delivered' && (content.staffCourier !== null || hasCarrierProof)
}

/**
 * The shortest path of transitions from one status to another, both ends included, or null. Carriers skip
 * steps (a parcel is delivered without a collection scan): the steps between are recorded too.
 */
export function pathBetween(from: Status, to: Status): Status[] | null {
  const paths: Status[][] = [[from]]
  const seen = new Set<Status>([from])
  for (const path of paths) {
    const last = path[path.length - 1] as Status
    if (last === to) return path
    for (const next of Object.keys(TRANSITIONS[last]) as Status[]) {
      if (seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  return null
}
