import type { Carrier, CarrierEvent, Outcome } from '../port/carrier.ts'
import { noAsUnknown, yes } from '../port/outcome.ts'
import { excerpt } from './answer.ts'

/**
 * Polls the status of bookings of carriers whose webhooks may be lost: each booking every ten minutes, at
 * most six batches of twenty a minute.
 */
export function statusSnapshotPoll(
  name: string,
  ask: (ref: string) => Promise<readonly CarrierEvent[]>,
): NonNullable<Carrier['track']> {
  return {
    batch: 20,
    everyMinutes: 10,
    budget: { name: `${name}-standing`, max: 6, perMs: 60_000 },
    async poll(refs) {
      const events = await Promise.all(refs.map(ask))
      return yes({ events: events.flat(), unreadable: 0 })
    },
  }
}

/**
 * Decides a rejected cancel by the booking's current status: it was cancelled before, or can no longer be
 * cancelled.
 */
export function treatAsCancelled(status: Outcome<string | null>, cancelled: string): Outcome<null> {
  if (status.kind !== 'yes') return noAsUnknown(status)
  if (status.value === null) return { kind: 'unknown', message: 'it does not find the booking' }
  if (status.value === cancelled) return yes(null)
  const message = `its status is ${excerpt(status.value)}, so it can no longer be cancelled`
  return { kind: 'no', retry: 'nobody', message }
}
