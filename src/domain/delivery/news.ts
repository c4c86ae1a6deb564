import type { EventType } from '../webhooks/event-types.ts'
import { isFinal, pathBetween, type Status, type StatusEvent, transition } from './status.ts'

/** One piece of carrier news, in the carrier's own time. Null status: it moves nothing. */
export type NewsItem = {
  eventId: string
  atMs: number
  status: Status | null
  subStatus: string | null
  said: string
}

/** What one piece of news did: the edges it walked (several when the carrier skipped steps), or none. */
export type NewsEffect = {
  type: StatusEvent | Extract<EventType, 'delivery.exception' | 'delivery.carrier_news'>
  atMs: number
  from: Status | null
  to: Status | null
  subStatus: string | null
  detail: string
}

export type NewsResult = {
  status: Status
  subStatus: string | null
  /** The carrier's time of the newest item applied. */
  carrierEventAtMs: number | null
  effects: NewsEffect[]
}

/** How far along an ordinary life is; news may only move forward along it. */
const PROGRESS: Partial<Record<Status, number>> = {
  // Its courier was taken off it: whatever comes next leads on from here.
  reassigned: 0.5,
  booked: 1,
  assigned: 2,
  approaching: 3,
  collected: 4,
  pending_return: 5,
  delivered: 6,
  returned: 6,
}

/** Given up by a carrier that has it: what becomes of it, people must ask. */
export const STRANDED = 'undeliverable'

/** Carrier news that a person should see although the status may not change. */
const EXCEPTIONS = new Set(['attempted', 'damaged', 'delayed', 'held', 'lost', 'refused', STRANDED])

/**
 * Applies carrier news in the carrier's own order. News that comes late changes nothing any more but is
 * told; a final status never moves; steps the carrier skipped are walked, each with its event. What is cancelled after
 * it was collected stays where it is, as an exception.
 */
export function applyNews(
  delivery: { status: Status; subStatus: string | null; carrierEventAtMs: number | null },
  news: readonly NewsItem[],
): NewsResult {
  const result: NewsResult = { ...delivery, effects: [] }
  for (const item of [...news].sort((a, b) => a.atMs - b.atMs || progress(a.status) - progress(b.status))) {
    applyOne(result, item)
  }
  return result
}

function applyOne(result: NewsResult, told: NewsItem): void {
  const late = result.carrierEventAtMs !== null && told.atMs < result.carrierEventAtMs
  const item = late ? told : meant(told, result.status)
  const way = late ? null : wayTo(result.status, item.status)
  if (
    isFinal(result.status) ||
    late ||
    (way === null && item.status !== result.status && item.status !== null)
  ) {
    result.effects.push(toldOnly(item))
    return
  }

  const before = result.subStatus
  for (const [from, to] of way ?? []) {
    const event = transition(from, to) as StatusEvent
    result.effects.push({
      type: event,
      atMs: item.atMs,
      from,
      to,
      subStatus: item.subStatus,
      detail: item.said,
    })
    result.status = to
  }
  result.subStatus = item.subStatus ?? (way?.length ? null : result.subStatus)
  result.carrierEventAtMs = item.atMs
  if (!way?.length) {
    const moved = item.subStatus !== null && item.subStatus !== before
    result.effects.push(moved ? { ...toldOnly(item), type: 'delivery.status_changed' } : toldOnly(item))
  }
  if (item.subStatus && EXCEPTIONS.has(item.subStatus)) {
    result.effects.push({ ...toldOnly(item), type: 'delivery.exception' })
  }
}

/** A cancel of what was collected, by what we know or by the carrier's own word, is no end of it. */
function meant(item: NewsItem, status: Status): NewsItem {
  if (item.status !== 'cancelled' || isFinal(status)) return item
  if (progress(status) >= progress('collected')) return { ...item, status: null, subStatus: STRANDED }
  return item.subStatus === STRANDED ? { ...item, status: 'collected' } : item
}

/** The edges from here to there, forward only; null when there is no such way. */
function wayTo(from: Status, to: Status | null): [Status, Status][] | null {
  if (to === null || from === to) return null
  if (to === 'cancelled' || to === 'reassigned') return transition(from, to) ? [[from, to]] : null
  if (progress(to) <= progress(from)) return null
  const path = pathBetween(from, to)
  if (!path?.every((status, index) => progress(status) > 0 && (index === 0 || status !== 'reassigned')))
    return null
  return path.slice(1).map((status, index) => [path[index] as Status, status])
}

function progress(status: Status | null): number {
  return status === null ? 0 : (PROGRESS[status] ?? 0)
}

function toldOnly(item: NewsItem): NewsEffect {
  return {
    type: 'delivery.carrier_news',
    atMs: item.atMs,
    from: null,
    to: null,
    subStatus: item.subStatus,
    detail: item.said,
  }
}
