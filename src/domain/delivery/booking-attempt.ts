import type { Transitions } from '../state-machine.ts'

/**
 * State machine of a booking attempt: one request to one carrier for one delivery. `sent`: committed before the carrier
 * is called. `unknown`: the carrier may have the booking. `rejected`: the carrier refused it. `void`: the carrier has no
 * booking, or no longer has it, and did not refuse it.
 */
export type AttemptState = 'sent' | 'unknown' | 'accepted' | 'rejected' | 'void'
export type AttemptOutcome = Exclude<AttemptState, 'sent'>

export const ATTEMPT_TRANSITIONS: Transitions<AttemptState> = {
  sent: ['unknown', 'accepted', 'rejected', 'void'],
  // Still unknown after Drover asked the carrier again.
  unknown: ['unknown', 'accepted', 'rejected', 'void'],
  // Cancelled at the carrier, by us or by the carrier, and the delivery is planned again.
  accepted: ['rejected', 'void'],
  rejected: [],
  void: [],
}

/** The states that may lead to this outcome: a write in any other state changes nothing. */
export function statesBefore(outcome: AttemptOutcome): AttemptState[] {
  const states = Object.keys(ATTEMPT_TRANSITIONS) as AttemptState[]
  return states.filter((state) => ATTEMPT_TRANSITIONS[state].includes(outcome))
}
