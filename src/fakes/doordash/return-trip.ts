import type { Delivery } from './delivery.ts'
import { move } from './moves.ts'
import type { DoorDashWorld } from './world.ts'

const MINUTE_MS = 60_000
/** Made up. */
const RETURN_MS = 10 * MINUTE_MS

/** The Dasher turns round and returns to the shop. */
export function startReturn(world: DoorDashWorld, delivery: Delivery, nowMs: number): void {
  const endMs = nowMs + RETURN_MS
  delivery.returnEtaMs = endMs
  delivery.leg = { from: delivery.dropoff, to: delivery.pickup, startMs: nowMs, endMs }
  move(world, delivery, 'enroute_to_return', 'DELIVERY_RETURN_INITIALIZED', nowMs)
  world.schedule.at(endMs, (atMs) =>
    move(world, delivery, 'arrived_at_return', 'DASHER_CONFIRMED_RETURN_ARRIVAL', atMs),
  )
  world.schedule.at(endMs + MINUTE_MS, (atMs) => {
    delivery.returnedMs = atMs
    move(world, delivery, 'returned', 'DELIVERY_RETURNED', atMs)
  })
}
