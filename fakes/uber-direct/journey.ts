import { type CourierPlan, type Delivery, isComplete, iso, type Status } from './delivery.ts'
import { sendPosition, sendStatus } from './events.ts'
import { proofOf } from './proof.ts'
import type { DeliveryRequest } from './requests.ts'
import { returnOf } from './return-trip.ts'
import type { UberState } from './state.ts'

/** The Robo Courier's timetable: each step is half a minute after the one before. */
const STEP_MS = 30_000
const BEFORE_DROPOFF_WINDOW_MS = 10 * 60_000
/** The interval of the courier-update webhook, from the assignment on. */
const POSITION_EVERY_MS = 20_000

/** The courier's timetable, by the Robo Courier's rules. `custom` gives the times itself. */
export function courierPlan(asked: DeliveryRequest, nowMs: number): CourierPlan {
  const robo = asked.test_specifications?.robo_courier_specification
  const custom = robo?.mode === 'custom' ? robo : undefined
  const at = (given: string | undefined, elseMs: number) => (given ? Date.parse(given) : elseMs)
  const assignedMs = at(custom?.enroute_for_pickup_at, assignmentMs(asked, nowMs))
  const pickupImminentMs = at(custom?.pickup_imminent_at, assignedMs + 2 * STEP_MS)
  const pickupMs = at(custom?.pickup_at, pickupImminentMs + STEP_MS)
  const dropoffImminentMs = at(custom?.dropoff_imminent_at, pickupMs + STEP_MS)
  const dropoffMs = at(custom?.dropoff_at, dropoffImminentMs + STEP_MS)
  return { assignedMs, pickupImminentMs, pickupMs, dropoffImminentMs, dropoffMs }
}

function assignmentMs({ pickup_ready_dt, dropoff_ready_dt }: DeliveryRequest, nowMs: number): number {
  if (pickup_ready_dt !== undefined) return Math.max(nowMs, Date.parse(pickup_ready_dt))
  if (dropoff_ready_dt === undefined) return nowMs
  return Math.max(nowMs, Date.parse(dropoff_ready_dt) - BEFORE_DROPOFF_WINDOW_MS)
}

/** From here on the clock moves it. */
export function startJourney(state: UberState, delivery: Delivery): void {
  const { plan, createdMs } = delivery
  step(createdMs, 'pending', false)
  step(plan.assignedMs, 'pickup', false)
  state.schedule.at(plan.assignedMs, (atMs) => schedulePositions(state, delivery, atMs))
  at(plan.pickupImminentMs, (atMs) => {
    if (fate() === 'courier_cancels') end(state, delivery, 'canceled', atMs, COURIER_CANCELED)
    else move(state, delivery, 'pickup', true, atMs)
  })
  at(plan.pickupMs, (atMs) => {
    delivery.pickup.done = { status: 'completed', atMs, proof: proofOf(delivery, 'pickup', atMs) }
    move(state, delivery, 'pickup_complete', false, atMs)
    move(state, delivery, 'dropoff', false, atMs)
  })
  step(plan.dropoffImminentMs, 'dropoff', true)
  at(plan.dropoffMs, (atMs) => {
    if (fate() === 'courier_loses') end(state, delivery, 'canceled', atMs, COURIER_CANCELED)
    else arrive(state, delivery, fate() === 'undeliverable', atMs)
  })

  function step(dueMs: number, status: Status, imminent: boolean): void {
    at(dueMs, (atMs) => move(state, delivery, status, imminent, atMs))
  }

  function at(dueMs: number, run: (atMs: number) => void): void {
    state.schedule.at(dueMs, (atMs) => {
      if (!isComplete(delivery)) run(atMs)
    })
  }

  function fate() {
    const { external_id, manifest_reference } = delivery.request
    return state.couriers.fateOf([delivery.id, external_id, manifest_reference])
  }
}

/** The references name the two fields but no values; these are made up. */
const COURIER_CANCELED = { primary_reason: 'COURIER_CANCEL', secondary_reason: 'COURIER_UNABLE_TO_COMPLETE' }
const DISCARDED = { primary_reason: 'UNDELIVERABLE', secondary_reason: 'DISCARDED' }
const NOBODY_THERE = 'CUSTOMER_NOT_AVAILABLE'

/** Ends a delivery and sends the event. */
export function end(
  state: UberState,
  delivery: Delivery,
  status: 'delivered' | 'canceled' | 'returned',
  atMs: number,
  cancelation: Delivery['cancelation'] = null,
): void {
  delivery.cancelation = cancelation
  state.server.ledger.write(`delivery_${status}`, { delivery_id: delivery.id, occurred: iso(atMs) })
  move(state, delivery, status, false, atMs)
}

/** At the customer's address: handed over, left, returned or discarded, as requested. */
function arrive(state: UberState, delivery: Delivery, refused: boolean, atMs: number): void {
  const { undeliverable_action } = delivery.request
  const left = refused && undeliverable_action === 'leave_at_door'
  if (left) delivery.undeliverable = { action: 'left_at_door', reason: NOBODY_THERE }
  if (!refused || left) {
    delivery.dropoff.done = { status: 'completed', atMs, proof: proofOf(delivery, 'dropoff', atMs) }
    end(state, delivery, 'delivered', atMs)
    return
  }
  delivery.dropoff.done = { status: 'failed', atMs, proof: {} }
  if (undeliverable_action === 'discard') {
    delivery.undeliverable = { action: '', reason: NOBODY_THERE }
    end(state, delivery, 'canceled', atMs, DISCARDED)
    return
  }
  const back = returnOf(delivery, atMs)
  state.deliveries.set(back.id, back)
  delivery.undeliverable = { action: 'returned', reason: NOBODY_THERE }
  delivery.related = { id: back.id, relationship: 'return' }
  end(state, delivery, 'returned', atMs)
  state.server.ledger.write('return_created', { delivery_id: back.id, original_id: delivery.id })
  bringBack(state, back)
}

function bringBack(state: UberState, back: Delivery): void {
  const { plan } = back
  move(state, back, 'dropoff', false, plan.pickupMs)
  state.schedule.at(plan.dropoffImminentMs, (atMs) => move(state, back, 'dropoff', true, atMs))
  state.schedule.at(plan.dropoffMs, (atMs) => {
    back.dropoff.done = { status: 'completed', atMs, proof: proofOf(back, 'return', atMs) }
    end(state, back, 'delivered', atMs)
  })
}

function move(state: UberState, delivery: Delivery, status: Status, imminent: boolean, atMs: number): void {
  delivery.status = status
  delivery.imminent = imminent
  delivery.updatedMs = atMs
  sendStatus(state, delivery, atMs)
}

function schedulePositions(state: UberState, delivery: Delivery, atMs: number): void {
  if (isComplete(delivery)) return
  sendPosition(state, delivery, atMs)
  state.schedule.at(atMs + POSITION_EVERY_MS, (nextMs) => schedulePositions(state, delivery, nextMs))
}
