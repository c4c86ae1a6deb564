import { type Status, transition } from '../../domain/delivery/status.ts'
import type { NewEvent } from '../../store/deliveries/events.ts'

/** Makes the id of a new event. */
type NewEventId = { newId(prefix: 'evt'): string }

/** Fields that the events of all steps share; `atEnd` goes with the last one only. */
type Told = Pick<NewEvent, 'atMs' | 'source'> &
  Partial<Pick<NewEvent, 'subStatus' | 'consignmentNumber' | 'detail'>> & { atEnd?: string | null }

/**
 * An event for each step of `path`, the present status first. Throws on a transition that the status table does not
 * have: a bug of ours.
 */
export function transitionEvents(
  { newId }: NewEventId,
  path: readonly Status[],
  { atMs, source, subStatus = null, consignmentNumber = null, detail = null, atEnd = null }: Told,
): NewEvent[] {
  return path.slice(1).map((to, index) => {
    const from = path[index] as Status
    const type = transition(from, to)
    if (!type) throw new Error(`There is no transition from ${from} to ${to}.`)
    const message = index === path.length - 2 ? (atEnd ?? detail) : detail
    return {
      eventId: newId('evt'),
      type,
      atMs,
      source,
      from,
      to,
      subStatus,
      consignmentNumber,
      detail: message,
    }
  })
}

/** An event that the merchant should see and that does not change the status. */
export function noteEvent(
  { newId }: NewEventId,
  { atMs, source, detail }: Pick<Told, 'atMs' | 'source' | 'detail'>,
): NewEvent {
  const still = { from: null, to: null, subStatus: null }
  const type = 'delivery.carrier_update'
  return {
    eventId: newId('evt'),
    type,
    atMs,
    source,
    ...still,
    consignmentNumber: null,
    detail: detail ?? null,
  }
}
