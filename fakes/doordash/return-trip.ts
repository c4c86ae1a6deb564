import type { Delivery } from './delivery.ts'
import { move } from './moves.ts'
import type { DoorDashState } from './state.ts'

const MINUTE_MS = 60_000
/** Made up. */
const RETURN_MS = 10 * MINUTE_MS

/** The Dasher turns round and returns to the shop. */
export function startReturn(state: DoorDashState, delivery: Delivery, nowMs: number): void {
  const endMs = nowMs + RETURN_MS
  delivery.returnEtaMs = endMs
  delivery.leg = { from: delivery.dropoff, to: delivery.pickup, startMs: nowMs, endMs }
  move(state, delivery, 'enroute_to_return', 'DELIVERY_RETURN_INITIALIZED', nowMs)
  state.schedule.at(endMs, (atMs) =>
    move(state, delivery, 'arrived_at_return', 'DASHER_CONFIRMED_RETURN_ARRIVAL', atMs),
  )
  state.schedule.at(endMs + MINUTE_MS, (atMs) => {
    delivery.returnedMs = atMs
    move(state, delivery, 'returned', 'DELIVERY_RETURNED', atMs)
  })
}
