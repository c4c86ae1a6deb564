import type { CancellationReason, Delivery, Status } from './delivery.ts'
import { type EventName, sendEvent } from './events.ts'
import type { DoorDashState } from './state.ts'

/** Changes its status, and sends the event if there is one. */
export function move(
  state: DoorDashState,
  delivery: Delivery,
  status: Status,
  event: EventName | null,
  atMs: number,
): void {
  delivery.status = status
  delivery.updatedMs = atMs
  if (isOver(delivery)) {
    const occurred = new Date(atMs).toISOString()
    state.server.ledger.write(`delivery_${status}`, { external_delivery_id: delivery.id, occurred })
  }
  if (event) sendEvent(state, delivery, event, atMs)
}

export function cancel(
  state: DoorDashState,
  delivery: Delivery,
  reason: CancellationReason,
  atMs: number,
): void {
  delivery.cancellation = reason
  move(state, delivery, 'cancelled', 'DELIVERY_CANCELLED', atMs)
}

export function isOver({ status }: Delivery): boolean {
  return status === 'delivered' || status === 'returned' || status === 'cancelled'
}
