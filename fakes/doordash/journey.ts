import type { Delivery, Status } from './delivery.ts'
import { type EventName, sendPosition } from './events.ts'
import { cancel, isOver, move } from './moves.ts'
import { type DeliveryRequest, wantedTimes } from './requests.ts'
import { startReturn } from './return-trip.ts'
import type { DoorDashState } from './state.ts'

const MINUTE_MS = 60_000
/** DoorDash publishes no timetable; this one is made up, as times after a Dasher confirms. */
const CONFIRM_AFTER_MS = MINUTE_MS
const PICKUP_AFTER_MS = 7 * MINUTE_MS
const DROPOFF_AFTER_MS = 17 * MINUTE_MS
const ASSIGN_WITHIN_MS = 20 * MINUTE_MS
const POSITION_EVERY_MS = 30_000
/** Roughly 1.5 km from the shop, where its Dasher starts. */
const START_DEGREES = 0.012

const STEPS: readonly [afterMs: number, status: Status, event: EventName | null][] = [
  [0, 'confirmed', 'DASHER_CONFIRMED'],
  [0, 'enroute_to_pickup', null],
  [5 * MINUTE_MS, 'arrived_at_pickup', 'DASHER_CONFIRMED_PICKUP_ARRIVAL'],
  [PICKUP_AFTER_MS, 'picked_up', 'DASHER_PICKED_UP'],
  [PICKUP_AFTER_MS, 'enroute_to_dropoff', null],
  [15 * MINUTE_MS, 'arrived_at_dropoff', 'DASHER_CONFIRMED_DROPOFF_ARRIVAL'],
]

/** When a Dasher would be at either end. */
export function courierPlan(asked: DeliveryRequest, nowMs: number) {
  const confirmedMs = confirmationMs(asked, nowMs)
  return { pickupEtaMs: confirmedMs + PICKUP_AFTER_MS, dropoffEtaMs: confirmedMs + DROPOFF_AFTER_MS }
}

function confirmationMs(asked: DeliveryRequest, nowMs: number): number {
  const { pickupMs, dropoffMs } = wantedTimes(asked)
  const soonestMs = nowMs + CONFIRM_AFTER_MS
  if (pickupMs !== null) return Math.max(soonestMs, pickupMs - PICKUP_AFTER_MS)
  if (dropoffMs !== null) return Math.max(soonestMs, dropoffMs - DROPOFF_AFTER_MS)
  return soonestMs
}

/** From here on the clock moves it. */
export function startJourney(state: DoorDashState, delivery: Delivery): void {
  const dueMs = confirmationMs(delivery.request, delivery.createdMs)
  state.schedule.at(dueMs, (atMs) => seekDasher(state, delivery, dueMs, atMs))
}

/** Retries every minute; after twenty without a Dasher it is cancelled. */
function seekDasher(state: DoorDashState, delivery: Delivery, firstMs: number, nowMs: number): void {
  if (isOver(delivery)) return
  if (state.couriers.busy !== null) {
    if (nowMs - firstMs >= ASSIGN_WITHIN_MS) cancel(state, delivery, 'failed_to_assign_and_refunded', nowMs)
    else state.schedule.at(nowMs + MINUTE_MS, (atMs) => seekDasher(state, delivery, firstMs, atMs))
    return
  }
  const { pickup } = delivery
  delivery.leg = {
    from: { lat: pickup.lat + START_DEGREES, lng: pickup.lng },
    to: pickup,
    startMs: nowMs,
    endMs: nowMs + PICKUP_AFTER_MS,
  }
  delivery.pickupEtaMs = nowMs + PICKUP_AFTER_MS
  delivery.dropoffEtaMs = nowMs + DROPOFF_AFTER_MS
  for (const [afterMs, status, event] of STEPS) {
    state.schedule.at(nowMs + afterMs, (atMs) => step(state, delivery, status, event, atMs))
  }
  state.schedule.at(nowMs + DROPOFF_AFTER_MS, (atMs) => arrive(state, delivery, atMs))
  state.schedule.at(nowMs, (atMs) => schedulePositions(state, delivery, atMs))
}

function step(
  state: DoorDashState,
  delivery: Delivery,
  status: Status,
  event: EventName | null,
  atMs: number,
): void {
  if (isOver(delivery) || delivery.returnEtaMs !== null) return
  if (status === 'arrived_at_pickup' && fateOf(state, delivery) === 'courier_cancels') {
    cancel(state, delivery, 'failed_to_pickup', atMs)
    return
  }
  if (status === 'picked_up') {
    delivery.pickedUpMs = atMs
    const { pickup, dropoff } = delivery
    delivery.leg = { from: pickup, to: dropoff, startMs: atMs, endMs: delivery.dropoffEtaMs }
  }
  move(state, delivery, status, event, atMs)
}

/** At the customer's address. */
function arrive(state: DoorDashState, delivery: Delivery, atMs: number): void {
  if (isOver(delivery) || delivery.returnEtaMs !== null) return
  if (fateOf(state, delivery) === 'courier_loses') {
    cancel(state, delivery, 'failed_to_deliver', atMs)
    return
  }
  const action = delivery.request.action_if_undeliverable
  const refused = fateOf(state, delivery) === 'undeliverable'
  if (refused && action === 'return_to_pickup') {
    startReturn(state, delivery, atMs)
    return
  }
  if (refused && action === 'dispose') {
    cancel(state, delivery, 'failed_to_deliver', atMs)
    return
  }
  // Without an action it "will be treated as contactless".
  if (refused) delivery.request.contactless_dropoff = true
  delivery.droppedOffMs = atMs
  move(state, delivery, 'delivered', 'DASHER_DROPPED_OFF', atMs)
}

function schedulePositions(state: DoorDashState, delivery: Delivery, atMs: number): void {
  if (isOver(delivery)) return
  if (delivery.status.startsWith('enroute')) sendPosition(state, delivery, atMs)
  state.schedule.at(atMs + POSITION_EVERY_MS, (nextMs) => schedulePositions(state, delivery, nextMs))
}

function fateOf({ couriers }: DoorDashState, { id }: Delivery) {
  return couriers.fateOf([id])
}
