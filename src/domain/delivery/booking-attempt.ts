/**
 * State machine of a booking attempt: one request to one carrier for one delivery. `sent`: committed before the carrier
 * is called. `unknown`: the carrier may have the booking. `rejected`: the carrier refused it. `void`: there is no booking,
 * or there is none any more, and the carrier did not refuse it.
 */
export const ATTEMPT_TRANSITIONS = {
  sent: ['unknown', 'accepted', 'rejected', 'void'],
  // Still unknown after another question.
  unknown: ['unknown', 'accepted', 'rejected', 'void'],
  // Cancelled at the carrier, by us or by the carrier, and the delivery is planned again.
  accepted: ['rejected', 'void'],
  rejected: [],
  void: [],
} as const satisfies Record<string, readonly string[]>

export type AttemptState = keyof typeof ATTEMPT_TRANSITIONS
export type AttemptOutcome = (typeof ATTEMPT_TRANSITIONS)[AttemptState][number]

/** The states that may lead to this outcome: a write for any other state is ignored. */
export function statesBefore(outcome: AttemptOutcome): AttemptState[] {
  const states = Object.keys(ATTEMPT_TRANSITIONS) as AttemptState[]
  return states.filter((state) => (ATTEMPT_TRANSITIONS[state] as readonly string[]).includes(outcome))
}
