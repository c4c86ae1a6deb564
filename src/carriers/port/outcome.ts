import type { Outcome } from './carrier.ts'

export const yes = <T>(value: T): Outcome<T> => ({ kind: 'yes', value })
export const later = (said: string): Outcome<never> => ({ kind: 'no', cure: 'later', said })

/** An answer that decides nothing but with a yes: what else was said leaves it unknown. */
export function unsure<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.kind === 'no' ? { kind: 'unknown', said: outcome.said } : outcome
}

/** Yes once each has said so; the first that does not decides, and nothing is asked of those after it. */
export async function yesOfEach<T>(
  all: readonly T[],
  ask: (one: T) => Promise<Outcome<null>>,
): Promise<Outcome<null>> {
  for (const one of all) {
    const outcome = await ask(one)
    if (outcome.kind !== 'yes') return outcome
  }
  return yes(null)
}
