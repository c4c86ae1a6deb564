import type { Status } from './status.ts'

/**
 * The outcomes that store staff may record for a delivery that has left the store, when no other party reports it: the
 * driver's phone is dead, the courier no longer drives, or the carrier has gone quiet.
 */
export const MANUAL_OUTCOMES = ['delivered', 'returned', 'taken_over'] as const
export type ManualOutcome = (typeof MANUAL_OUTCOMES)[number]

/** `own`: the store's own couriers have it. `isOverdue`: its delivery window is over. */
export type Holder = { by: 'own' } | { by: 'carrier'; isOverdue: boolean }

/** The statuses to pass through, from each status; an outcome that is not listed cannot be recorded there. */
const PATHS: Readonly<Record<ManualOutcome, Partial<Record<Status, readonly Status[]>>>> = {
  delivered: {
    booked: ['booked', 'collected', 'delivered'],
    assigned: ['assigned', 'collected', 'delivered'],
    approaching: ['approaching', 'collected', 'delivered'],
    collected: ['collected', 'delivered'],
    reassigned: ['reassigned', 'booked', 'collected', 'delivered'],
  },
  returned: {
    collected: ['collected', 'pending_return', 'returned'],
    pending_return: ['pending_return', 'returned'],
    reassigned: ['reassigned', 'booked', 'collected', 'pending_return', 'returned'],
  },
  // The store has the parcels again and decides again: another courier, a carrier, or no booking.
  taken_over: { collected: ['collected', 'reassigned', 'requested', 'on_hold'] },
}

/** The path to an outcome, or why it cannot be recorded, with what can be done. */
export function pathToOutcome(
  status: Status,
  outcome: ManualOutcome,
  holder: Holder,
): { path: readonly Status[] } | { why: string } {
  const path = PATHS[outcome][status]
  if (!path) return { why: `It is ${status}. ${remedyFor(status, outcome)}` }
  if (holder.by === 'own') return { path }
  if (outcome === 'taken_over')
    return { why: 'A carrier has it. Record it as returned when the parcels are back.' }
  if (!holder.isOverdue)
    return {
      why: 'The carrier reports its progress. You can record it by hand once its delivery window is over.',
    }
  return { path }
}

function remedyFor(status: Status, outcome: ManualOutcome): string {
  const open = MANUAL_OUTCOMES.filter((one) => PATHS[one][status] !== undefined)
  if (open.length > 0) return `Record it as ${open.join(' or ')}.`
  if (status === 'requested' || status === 'on_hold' || status === 'created')
    return 'It has not left the store: book, assign or cancel it.'
  if (status === 'delivered' || status === 'returned' || status === 'cancelled') return 'It has ended.'
  return outcome === 'delivered'
    ? 'Wait until it is collected.'
    : 'Cancel it, or assign it to another courier.'
}
