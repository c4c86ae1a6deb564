import { randomBytes } from 'node:crypto'
import type { Couriers } from '../couriers.ts'
import type { FakeDesk } from '../fake.ts'
import type { Schedule } from '../schedule.ts'
import type { WebhookSender } from '../webhook-sender.ts'
import type { Address } from './address.ts'
import type { Delivery } from './delivery.ts'
import type { EventKind } from './events.ts'
import type { Repeats } from './repeats.ts'

export type Quote = {
  id: string
  token: string
  expiresMs: number
  feeCents: number
  pickup: Address
  dropoff: Address
  externalStoreId: string | null
  used: boolean
}

/** All there is at this Uber Direct. */
export type UberWorld = {
  desk: FakeDesk
  schedule: Schedule
  webhooks: WebhookSender
  /** The webhooks that its owner wants. */
  kinds: ReadonlySet<EventKind>
  couriers: Couriers
  customerId: string
  quotes: Map<string, Quote>
  /** By id, the oldest first. */
  deliveries: Map<string, Delivery>
  /** Which delivery a key made, and until when the key stands for it. */
  keys: Map<string, { deliveryId: string; untilMs: number }>
  /** The delivery that was last made under an external id and a manifest reference together. */
  pairs: Map<string, string>
  /** What a repeated idempotency key is answered with: the references name 409, and do not rule 200 out. */
  repeats: Repeats
  /** Words of addresses that are not found on its map. */
  unknownPlace: string | null
}

/** 22 characters of base64url: a UUID's 16 bytes, as Uber's ids carry after their prefix. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}
