import type { Couriers } from '../couriers.ts'
import type { FakeDesk } from '../fake.ts'
import type { Schedule } from '../schedule.ts'
import type { WebhookSender } from '../webhook-sender.ts'
import type { Delivery } from './delivery.ts'

/** All there is at this DoorDash. */
export type DoorDashWorld = {
  desk: FakeDesk
  schedule: Schedule
  webhooks: WebhookSender
  /** Also sends where the Dasher is while on the way: an extra that the owner asks DoorDash for. */
  tracking: boolean
  couriers: Couriers
  /** Quotes and deliveries by `external_delivery_id`: an id that was used once is taken. */
  deliveries: Map<string, Delivery>
  /** What the same request under the same id gets: the references have 409, and elsewhere what there is. */
  repeats: 'refused' | 'replayed'
  /** How long a new delivery is still being created, when no cancel is taken. */
  creationMs: number
  /** Ids whose cancel was asked for while they were being created. */
  askedTooSoon: Set<string>
}
