import type { EventType } from '../webhooks/event-types.ts'
import { isFinal, pathBetween, type Status, type StatusEvent, transition } from './status.ts'

/** One tracking update from a carrier, with the carrier's own time. Null status: it changes no status. */
export type TrackingUpdate = {
  eventId: string
  atMs: number
  status: Status | null
  subStatus: string | null
  message: string
}

/** The effect of one update: the transitions it made (several when the carrier skipped steps), if any. */
export type TrackingEffect = {
  type: StatusEvent | Extract<EventType, 'delivery.exception' | 'delivery.carrier_update'>
  atMs: number
  from: Status | null
  to: Status | null
  subStatus: string | null
  detail: string
}

export type TrackingResult = {
  status: Status
  subStatus: string | null
  /** The carrier's time of the newest update; in a final status, of the update that ended the delivery. */
  carrierEventAtMs: number | null
  effects: TrackingEffect[]
}

/** Progress through an ordinary delivery. Updates may only increase it. */
const PROGRESS: Partial<Record<Status, number>> = {
  // Its courier was removed: any later status is progress.
  reassigned: 0.5,
  booked: 1,
  assigned: 2,
  approaching: 3,
  collected: 4,
  pending_return: 5,
  delivered: 6,
  returned: 6,
}

/** The carrier has the parcel and gave up delivering it: people must ask what happens next. */
export const STRANDED = 'undeliverable'

/** Updates that a person should see although the status may not change. */
const EXCEPTIONS = new Set(['attempted', 'damaged', 'delayed', 'held', 'lost', 'refused', STRANDED])

/** The known state of a delivery. */
type DeliveryState = { status: Status; subStatus: string | null }
type Edge = readonly [from: Status, to: Status]
/** One update's result: the new state, the transitions it makes, and the update as interpreted there. */
type Step = { state: DeliveryState; transitions: readonly Edge[]; item: TrackingUpdate }

/**
 * Applies tracking updates in the carrier's own order of time: updates that arrive out of order lead to the
 * same status as in order, as far as the status table allows from the transitions already recorded. `earlier`
 * has the earlier updates of the same booking, and is called only for a late update. A final status never
 * changes. Steps that the carrier skipped are recorded, each with its event. A cancellation after collection
 * does not end the delivery: it is recorded as an exception.
 */
export function applyTrackingUpdates(
  delivery: DeliveryState & { carrierEventAtMs: number | null },
  updates: readonly TrackingUpdate[],
  earlier: readonly TrackingUpdate[] = [],
): TrackingResult {
  const result: TrackingResult = { ...delivery, effects: [] }
  const known = [...earlier]
  for (const update of inOrder(updates)) {
    if (isFinal(result.status)) result.effects.push(toCarrierUpdate(update))
    else applyStep(result, isLate(update, result) ? lateStep(result, update, known) : toStep(result, update))
    known.push(update)
  }
  return result
}

/** Whether an update is older than one that arrived before it. */
export function isLate(
  { atMs }: TrackingUpdate,
  { carrierEventAtMs }: { carrierEventAtMs: number | null },
): boolean {
  return carrierEventAtMs !== null && atMs < carrierEventAtMs
}

function inOrder(updates: readonly TrackingUpdate[]): TrackingUpdate[] {
  return [...updates].sort((a, b) => a.atMs - b.atMs || progress(a.status) - progress(b.status))
}

function applyStep(result: TrackingResult, { state, transitions, item }: Step): void {
  for (const [from, to] of transitions) {
    const type = transition(from, to) as StatusEvent
    result.effects.push({ ...toCarrierUpdate(item), type, from, to })
  }
  if (transitions.length === 0) {
    const { subStatus } = state
    const moved = subStatus !== result.subStatus
    result.effects.push(
      moved
        ? { ...toCarrierUpdate(item), type: 'delivery.status_changed', subStatus }
        : toCarrierUpdate(item),
    )
  }
  if (item.subStatus && EXCEPTIONS.has(item.subStatus)) {
    result.effects.push({ ...toCarrierUpdate(item), type: 'delivery.exception' })
  }
  const newestMs = Math.max(item.atMs, result.carrierEventAtMs ?? item.atMs)
  // The time of the end is that of the update that ended it, even if a newer update arrived before.
  result.carrierEventAtMs = isFinal(state.status) ? item.atMs : newestMs
  result.status = state.status
  result.subStatus = state.subStatus
}

/** Applies an update to a delivery that has no newer one. */
function toStep(state: DeliveryState, update: TrackingUpdate): Step {
  const item = interpret(update, state.status)
  const transitions = isFinal(state.status) ? null : transitionsTo(state.status, item.status)
  if (transitions === null) return { state, transitions: [], item }
  const status = transitions.at(-1)?.[1] ?? state.status
  const subStatus = item.subStatus ?? (transitions.length > 0 ? null : state.subStatus)
  return { state: { status, subStatus }, transitions, item }
}

/** Applies a late update by replaying all updates in the order of their times. */
function lateStep(current: DeliveryState, update: TrackingUpdate, earlier: readonly TrackingUpdate[]): Step {
  const all = inOrder([...earlier, update])
  const older = all.slice(0, all.indexOf(update))
  // If there is no path to that end: an update that did not end the delivery when it arrived does not end it
  // now.
  for (const mayEnd of [() => true, (one: TrackingUpdate) => one === update]) {
    // If updates alone did not lead to the current state, a replay cannot start in the middle of it.
    if (replay(inOrder(earlier), mayEnd).status !== current.status) continue
    const state = replay(all, mayEnd)
    const transitions = lateTransitions(current.status, state.status, update)
    if (transitions) return { state, transitions, item: interpret(update, replay(older, mayEnd).status) }
  }
  return { state: current, transitions: [], item: update }
}

function replay(updates: readonly TrackingUpdate[], mayEnd: (one: TrackingUpdate) => boolean): DeliveryState {
  let state: DeliveryState = { status: 'booked', subStatus: null }
  for (const one of updates) {
    const step = toStep(state, one)
    if (!isFinal(step.state.status) || mayEnd(one)) state = step.state
  }
  return state
}

/** Like `wayTo`, but a removed courier may also lead back. */
function lateTransitions(from: Status, to: Status, update: TrackingUpdate): Edge[] | null {
  const transitions = transitionsTo(from, to)
  if (transitions || update.status !== 'reassigned' || !transition(from, 'reassigned')) return transitions
  const onward = transitionsTo('reassigned', to)
  return onward && [[from, 'reassigned'], ...onward]
}

/** A cancellation after collection, by our record or the carrier's own word, does not end the delivery. */
function interpret(item: TrackingUpdate, status: Status): TrackingUpdate {
  if (item.status !== 'cancelled' || isFinal(status)) return item
  if (progress(status) >= progress('collected')) return { ...item, status: null, subStatus: STRANDED }
  return item.subStatus === STRANDED ? { ...item, status: 'collected' } : item
}

/**
 * The transitions from one status to another, forward only; empty when they are equal, null when there is no
 * path.
 */
function transitionsTo(from: Status, to: Status | null): Edge[] | null {
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

function toCarrierUpdate(item: TrackingUpdate): TrackingEffect {
  return {
    type: 'delivery.carrier_update',
    atMs: item.atMs,
    from: null,
    to: null,
    subStatus: item.subStatus,
    detail: item.message,
  }
}
