import type { EventType } from '../webhooks/event-types.ts'
import { isFinal, pathBetween, type Status, type StatusEvent, transition } from './status.ts'

/** One piece of carrier news, in the carrier's own time. Null status: it moves nothing. */
export type TrackingUpdate = {
  eventId: string
  atMs: number
  status: Status | null
  subStatus: string | null
  said: string
}

/** What one piece of news did: the edges it walked (several when the carrier skipped steps), or none. */
export type TrackingEffect = {
  type: StatusEvent | Extract<EventType, 'delivery.exception' | 'delivery.carrier_news'>
  atMs: number
  from: Status | null
  to: Status | null
  subStatus: string | null
  detail: string
}

export type TrackingResult = {
  status: Status
  subStatus: string | null
  /** The carrier's time of the newest item; of a final status, of the one that ended it. */
  carrierEventAtMs: number | null
  effects: TrackingEffect[]
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

/** How far a delivery is known to be. */
type Life = { status: Status; subStatus: string | null }
type Edge = readonly [from: Status, to: Status]
/** What one piece of news makes of it, the edges it walks, and the news as it is meant there. */
type Step = { life: Life; way: readonly Edge[]; item: TrackingUpdate }

/**
 * Applies carrier news by the carrier's own time: in whatever order it comes, it leads where the order of its times
 * leads, as far as the table has a way there from what was told already. `heard` is what came before of the same
 * booking, asked only where news comes late. A final status never moves; steps the carrier skipped are walked, each
 * with its event. What is cancelled after it was collected stays where it is, as an exception.
 */
export function applyTrackingUpdates(
  delivery: Life & { carrierEventAtMs: number | null },
  news: readonly TrackingUpdate[],
  heard: readonly TrackingUpdate[] = [],
): TrackingResult {
  const result: TrackingResult = { ...delivery, effects: [] }
  const known = [...heard]
  for (const told of inOrder(news)) {
    if (isFinal(result.status)) result.effects.push(noteEvent(told))
    else take(result, isLate(told, result) ? lateStep(result, told, known) : stepOf(result, told))
    known.push(told)
  }
  return result
}

/** Whether news is older than some that came before it. */
export function isLate(
  { atMs }: TrackingUpdate,
  { carrierEventAtMs }: { carrierEventAtMs: number | null },
): boolean {
  return carrierEventAtMs !== null && atMs < carrierEventAtMs
}

function inOrder(news: readonly TrackingUpdate[]): TrackingUpdate[] {
  return [...news].sort((a, b) => a.atMs - b.atMs || progress(a.status) - progress(b.status))
}

function take(result: TrackingResult, { life, way, item }: Step): void {
  for (const [from, to] of way) {
    const type = transition(from, to) as StatusEvent
    result.effects.push({ ...noteEvent(item), type, from, to })
  }
  if (way.length === 0) {
    const { subStatus } = life
    const moved = subStatus !== result.subStatus
    result.effects.push(
      moved ? { ...noteEvent(item), type: 'delivery.status_changed', subStatus } : noteEvent(item),
    )
  }
  if (item.subStatus && EXCEPTIONS.has(item.subStatus)) {
    result.effects.push({ ...noteEvent(item), type: 'delivery.exception' })
  }
  const newestMs = Math.max(item.atMs, result.carrierEventAtMs ?? item.atMs)
  // When it ended is told by what ended it, though something newer may have come before.
  result.carrierEventAtMs = isFinal(life.status) ? item.atMs : newestMs
  result.status = life.status
  result.subStatus = life.subStatus
}

/** What news makes of a delivery that has heard of nothing newer. */
function stepOf(life: Life, told: TrackingUpdate): Step {
  const item = meant(told, life.status)
  const way = isFinal(life.status) ? null : wayTo(life.status, item.status)
  if (way === null) return { life, way: [], item }
  const status = way.at(-1)?.[1] ?? life.status
  const subStatus = item.subStatus ?? (way.length > 0 ? null : life.subStatus)
  return { life: { status, subStatus }, way, item }
}

/** What late news makes of it: all its news is told again in the order of its times. */
function lateStep(now: Life, told: TrackingUpdate, heard: readonly TrackingUpdate[]): Step {
  const all = inOrder([...heard, told])
  const older = all.slice(0, all.indexOf(told))
  // Where there is no way to that end: what did not end it when it came does not now.
  for (const mayEnd of [() => true, (one: TrackingUpdate) => one === told]) {
    // Where its news alone has not led here, news does not lead on from the middle of it.
    if (retold(inOrder(heard), mayEnd).status !== now.status) continue
    const life = retold(all, mayEnd)
    const way = lateWay(now.status, life.status, told)
    if (way) return { life, way, item: meant(told, retold(older, mayEnd).status) }
  }
  return { life: now, way: [], item: told }
}

function retold(news: readonly TrackingUpdate[], mayEnd: (one: TrackingUpdate) => boolean): Life {
  let life: Life = { status: 'booked', subStatus: null }
  for (const one of news) {
    const step = stepOf(life, one)
    if (!isFinal(step.life.status) || mayEnd(one)) life = step.life
  }
  return life
}

/** As `wayTo`; a courier who was taken off it leads back too. */
function lateWay(from: Status, to: Status, told: TrackingUpdate): Edge[] | null {
  const way = wayTo(from, to)
  if (way || told.status !== 'reassigned' || !transition(from, 'reassigned')) return way
  const onward = wayTo('reassigned', to)
  return onward && [[from, 'reassigned'], ...onward]
}

/** A cancel of what was collected, by what we know or by the carrier's own word, is no end of it. */
function meant(item: TrackingUpdate, status: Status): TrackingUpdate {
  if (item.status !== 'cancelled' || isFinal(status)) return item
  if (progress(status) >= progress('collected')) return { ...item, status: null, subStatus: STRANDED }
  return item.subStatus === STRANDED ? { ...item, status: 'collected' } : item
}

/** The edges from here to there, forward only; none where it stays, null when there is no such way. */
function wayTo(from: Status, to: Status | null): Edge[] | null {
  if (to === null || from === to) return []
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

function noteEvent(item: TrackingUpdate): TrackingEffect {
  return {
    type: 'delivery.carrier_news',
    atMs: item.atMs,
    from: null,
    to: null,
    subStatus: item.subStatus,
    detail: item.said,
  }
}
