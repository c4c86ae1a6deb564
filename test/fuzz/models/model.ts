import assert from 'node:assert/strict'
import { type Ask, nameOf, type Reply } from '../../harness/http.ts'

/** Who delivers it: a carrier (`pickup`: in the other direction), or a store courier. */
export type Kind = 'carrier' | 'pickup' | 'own'

export type ModelDelivery = {
  id: string
  store: string
  reference: string
  kind: Kind
  status: 'requested' | 'on_hold' | 'booked' | 'assigned' | 'collected' | 'delivered' | 'cancelled'
  instructions: string
  readyMs: number
  /** When its courier got the last offer. */
  offeredMs: number
  courier: Courier
  manifested: boolean
}

export type ModelLink = {
  id: string
  path: string
  store: string
  reference: string
  state: 'open' | 'booked' | 'revoked' | 'locked'
  failedAttempts: number
  session: string | null
  deliveryId: string | null
}

export const COURIERS = ['sam', 'mia'] as const
export type Courier = (typeof COURIERS)[number]

/** The expected state of the service. */
export type Model = {
  nowMs: number
  deliveries: ModelDelivery[]
  links: ModelLink[]
  /** Used keys, with their request and response. */
  keyed: {
    key: string
    body: Record<string, unknown>
    message: '201' | '409 duplicate_reference'
    id: string
  }[]
}

/** The service as a client, a courier, a customer and an operator reach it. */
export type Real = {
  /** Makes references of this run unique, and a search finds no others: it disregards case, blanks and hyphens. */
  name: string
  ask: Ask
  asCourier(courier: Courier): Ask
  setClock(nowMs: number): Promise<void>
}

/** A service by road, open at every hour of a run. */
export const STORES = ['melbourne-cbd', 'fitzroy'] as const
/** A store that has couriers. */
export const OWN_STORE = 'fitzroy'
export const PHONES: Record<Courier, string> = { sam: '+61491570156', mia: '+61491570157' }
export const OFFER_MS = 15 * 60_000
export const LEAD_MS = 60 * 60_000

export function findDelivery(model: Model, store: string, reference: string): ModelDelivery | undefined {
  return model.deliveries.find((one) => one.store === store && one.reference === reference)
}

/** Any other response is a difference between the model and the service. */
export function expectAnswer(reply: Reply, ...expected: string[]): void {
  const message = nameOf(reply)
  assert.ok(
    expected.includes(message),
    `answered ${message} (${reply.json?.detail ?? ''}), expected ${expected.join(' or ')}`,
  )
}
