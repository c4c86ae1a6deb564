import type { Couriers } from '../couriers.ts'
import type { FakeServer } from '../fake.ts'
import type { Schedule } from '../schedule.ts'
import type { WebhookSender } from '../webhook-sender.ts'
import type { Delivery } from './delivery.ts'

/** The whole state of this DoorDash. */
export type DoorDashState = {
  server: FakeServer
  schedule: Schedule
  webhooks: WebhookSender
  /** Also sends the Dasher's position while on the way: an extra that the owner requests from DoorDash. */
  tracking: boolean
  couriers: Couriers
  /** Quotes and deliveries by `external_delivery_id`: a used id cannot be used again. */
  deliveries: Map<string, Delivery>
  /** The response to the same request under the same id: one reference has 409, another the existing delivery. */
  repeats: 'refused' | 'replayed'
  /** How long a new delivery is still being created and cannot be cancelled. */
  creationMs: number
  /** Ids whose cancellation was requested while they were being created. */
  askedTooSoon: Set<string>
}
