import { z } from 'zod'
import type { FakeRoute } from '../fake.ts'
import { webhookControls } from '../webhook-controls.ts'
import type { WebhookTarget } from '../webhook-sender.ts'
import { type Delivery, deliveryJson } from './delivery.ts'
import type { DoorDashState } from './state.ts'

export type EventName =
  | 'DASHER_CONFIRMED'
  | 'DASHER_CONFIRMED_PICKUP_ARRIVAL'
  | 'DASHER_PICKED_UP'
  | 'DASHER_CONFIRMED_DROPOFF_ARRIVAL'
  | 'DASHER_DROPPED_OFF'
  | 'DELIVERY_CANCELLED'
  | 'DELIVERY_RETURN_INITIALIZED'
  | 'DASHER_CONFIRMED_RETURN_ARRIVAL'
  | 'DELIVERY_RETURNED'

export function sendEvent(state: DoorDashState, delivery: Delivery, name: EventName, atMs: number): void {
  const reason = name === 'DELIVERY_CANCELLED' ? { reason: delivery.cancellation } : {}
  send(state, delivery, name, reason, atMs)
}

/** `dasher_enroute_to_…`, in lower case as on DoorDash's own page; some receivers report capitals. */
export function sendPosition(state: DoorDashState, delivery: Delivery, atMs: number): void {
  if (state.tracking) send(state, delivery, `dasher_${delivery.status}`, {}, atMs)
}

/** All known fields of the delivery except its status: receivers report that the event's name replaces it. */
function send(state: DoorDashState, delivery: Delivery, name: string, more: object, atMs: number): void {
  const { delivery_status: _, ...known } = deliveryJson(delivery, atMs)
  const payload = { event_name: name, created_at: new Date(atMs).toISOString(), ...more, ...known }
  state.webhooks.send(`${name} ${delivery.id}`, payload)
}

const TARGET = z.strictObject({
  url: z.url(),
  tracking: z.boolean().default(false),
  auth: z
    .union([
      z.strictObject({ basic: z.strictObject({ username: z.string(), password: z.string() }) }),
      z.strictObject({
        oauth: z.strictObject({
          token_url: z.url(),
          client_id: z.string(),
          client_secret: z.string(),
          scope: z.string().optional(),
        }),
      }),
      z.strictObject({ header: z.string().min(1) }),
    ])
    .nullable()
    .default(null),
})
export type DoorDashTarget = z.input<typeof TARGET>
type Target = z.output<typeof TARGET>
type OAuth = Extract<NonNullable<Target['auth']>, { oauth: unknown }>['oauth']

const GRANTED = z.object({ access_token: z.string(), expires_in: z.number().default(300) })

/** The owner's choice of webhook authentication: Basic, OAuth client credentials, or a custom `Authorization`. */
export function provenTarget(given: DoorDashTarget): WebhookTarget {
  const { url, auth } = TARGET.parse(given)
  if (auth === null) return { url, proof: () => ({}) }
  if ('header' in auth) return { url, proof: () => ({ authorization: auth.header }) }
  if ('basic' in auth) {
    const { username, password } = auth.basic
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    return { url, proof: () => ({ authorization }) }
  }
  return { url, proof: bearerProof(auth.oauth) }
}

/** A token is cached for its stated lifetime, by the machine's clock. */
function bearerProof({ token_url, client_id, client_secret, scope }: OAuth): WebhookTarget['proof'] {
  let cached: { token: string; untilMs: number } | null = null
  return async () => {
    if (!cached || cached.untilMs <= Date.now()) {
      const form = { grant_type: 'client_credentials', client_id, client_secret, ...(scope ? { scope } : {}) }
      const response = await fetch(token_url, { method: 'POST', body: new URLSearchParams(form) })
      const { access_token, expires_in } = GRANTED.parse(await response.json())
      cached = { token: access_token, untilMs: Date.now() + expires_in * 1_000 }
    }
    return { authorization: `Bearer ${cached.token}` }
  }
}

export function eventControls(state: DoorDashState): FakeRoute[] {
  return webhookControls(state.webhooks, TARGET, (target) => {
    state.tracking = target.tracking
    return provenTarget(target)
  })
}
