/** State machine: every state, with the states that may follow it. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>

/** Returns `to`, the new state. Throws if it may not follow `from`: that is our bug, never a caller's mistake. */
export function changeState<State extends string, To extends State>(
  transitions: Transitions<State>,
  from: State,
  to: To,
): To {
  if (!transitions[from].includes(to)) throw new Error(`The state ${to} may not follow ${from}.`)
  return to
}
