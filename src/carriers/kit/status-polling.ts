import type { Carrier, CarrierEvent, Outcome } from '../port/carrier.ts'
import { unsure, yes } from '../port/outcome.ts'
import { excerpt } from './answer.ts'

/**
 * For carriers that tell by webhooks, which may be lost: each booking is asked for every ten minutes, six times
 * twenty of them a minute at most.
 */
export function statusSnapshotPoll(
  name: string,
  ask: (ref: string) => Promise<readonly CarrierEvent[]>,
): NonNullable<Carrier['track']> {
  return {
    batch: 20,
    everyMinutes: 10,
    budget: { name: `${name}-standing`, most: 6, perMs: 60_000 },
    async poll(refs) {
      const events = await Promise.all(refs.map(ask))
      return yes({ events: events.flat(), unreadable: 0 })
    },
  }
}

/** A cancel that was not taken, by how the booking stands: it was let go before, or can no longer be. */
export function treatAsCancelled(standing: Outcome<string | null>, cancelled: string): Outcome<null> {
  if (standing.kind !== 'yes') return unsure(standing)
  if (standing.value === null) return { kind: 'unknown', said: 'it does not find it' }
  if (standing.value === cancelled) return yes(null)
  const said = `it is at ${excerpt(standing.value)} and can no longer be cancelled`
  return { kind: 'no', cure: 'nobody', said }
}
