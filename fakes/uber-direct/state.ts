import { randomBytes } from 'node:crypto'
import type { Couriers } from '../couriers.ts'
import type { FakeServer } from '../fake.ts'
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

/** The whole state of this Uber Direct. */
export type UberState = {
  server: FakeServer
  schedule: Schedule
  webhooks: WebhookSender
  /** The kinds of webhooks that its owner subscribed to. */
  kinds: ReadonlySet<EventKind>
  couriers: Couriers
  customerId: string
  quotes: Map<string, Quote>
  /** By id, oldest first. */
  deliveries: Map<string, Delivery>
  /** The delivery that a key created, and when the key expires. */
  keys: Map<string, { deliveryId: string; untilMs: number }>
  /** The latest delivery by external id and manifest reference. */
  pairs: Map<string, string>
  /** The response to a repeated idempotency key: the references name 409, and do not rule out 200. */
  repeats: Repeats
  /** Text of addresses that its map does not find. */
  unknownPlace: string | null
}

/** 22 characters of base64url: a UUID's 16 bytes, as in Uber's ids after their prefix. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}
