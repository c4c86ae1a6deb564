import type { Outcome } from './carrier.ts'

export const yes = <T>(value: T): Outcome<T> => ({ kind: 'yes', value })
export const tryAnother = (message: string): Outcome<never> => ({
  kind: 'no',
  retry: 'another_carrier',
  message,
})
/** The result of a cancellation or a label request whose ref can't be the carrier's. */
export const noSuchBooking: Outcome<never> = {
  kind: 'no',
  retry: 'nobody',
  message: 'the carrier has no such booking',
}
export const retryLater = (message: string): Outcome<never> => ({ kind: 'no', retry: 'later', message })

/** For an answer that only decides when it is yes: a no becomes unknown. */
export function noAsUnknown<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.kind === 'no' ? { kind: 'unknown', message: outcome.message } : outcome
}

/**
 * Yes once each call has returned yes; the first other outcome decides, and the remaining calls are skipped.
 */
export async function allYes<T>(
  all: readonly T[],
  ask: (one: T) => Promise<Outcome<null>>,
): Promise<Outcome<null>> {
  for (const one of all) {
    const outcome = await ask(one)
    if (outcome.kind !== 'yes') return outcome
  }
  return yes(null)
}
