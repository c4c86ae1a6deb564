import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { controlRoute } from '../control-route.ts'
import type { FakeRoute } from '../fake.ts'
import { webhookControls } from '../webhook-controls.ts'
import type { WebhookTarget } from '../webhook-sender.ts'
import { courierPlace, type Delivery, deliveryJson, iso } from './delivery.ts'
import { newToken, type UberState } from './state.ts'

/** `event.delivery_status`: at each change of status or `courier_imminent`. */
export function sendStatus(state: UberState, delivery: Delivery, atMs: number): void {
  send(state, delivery, 'event.delivery_status', atMs, () => ({
    status: delivery.status,
    data: {
      ...deliveryJson(delivery, atMs),
      ...(delivery.cancelation ? { cancelation_reason: delivery.cancelation } : {}),
    },
  }))
}

/** `event.courier_update`: the courier's position. */
export function sendPosition(state: UberState, delivery: Delivery, atMs: number): void {
  send(state, delivery, 'event.courier_update', atMs, () => ({
    status: delivery.status,
    location: courierPlace(delivery, atMs),
    data: deliveryJson(delivery, atMs),
  }))
}

/** `event.refund_request`, of the whole fee. */
function sendRefund(state: UberState, delivery: Delivery, atMs: number): void {
  const { external_id, external_store_id } = delivery.request
  send(state, delivery, 'event.refund_request', atMs, () => ({
    external_id: external_id ?? '',
    external_store_id: external_store_id ?? '',
    data: {
      id: newToken(),
      created_at: iso(atMs),
      currency_code: 'AUD',
      refund_fees: [{ category: 'DELIVERY', fee_code: 'UBER_DELIVERY_FEE', value: delivery.feeCents }],
      refund_order_items: [],
      total_partner_refund: 0,
      total_uber_refund: delivery.feeCents,
    },
  }))
}

function send(
  { customerId, kinds, webhooks }: UberState,
  delivery: Delivery,
  kind: EventKind,
  atMs: number,
  more: () => object,
): void {
  if (!webhooks.target || !kinds.has(kind)) return
  webhooks.send(`${kind} ${delivery.status} ${delivery.id}`, {
    id: `evt_${newToken()}`,
    kind,
    created: iso(atMs),
    live_mode: false,
    delivery_id: delivery.id,
    customer_id: customerId,
    developer_id: 'dev_fake',
    account_id: 'acc_fake',
    ...more(),
  })
}

const KINDS = ['event.delivery_status', 'event.courier_update', 'event.refund_request'] as const
export type EventKind = (typeof KINDS)[number]

const TARGET = z.strictObject({
  url: z.url(),
  signing_key: z.string().min(1),
  /** The kinds that its owner selected; all by default. */
  kinds: z
    .array(z.enum(KINDS))
    .min(1)
    .default([...KINDS]),
})
export type UberTarget = z.input<typeof TARGET>
const REFUND = z.strictObject({ delivery_id: z.string() })

/** Signed as the guide says, in the current header and in the former one. */
export function aimAt(state: UberState, given: UberTarget): WebhookTarget {
  const { url, signing_key, kinds } = TARGET.parse(given)
  state.kinds = new Set(kinds)
  return {
    url,
    proof(body) {
      const signature = createHmac('sha256', signing_key).update(body).digest('hex')
      return { 'x-uber-signature': signature, 'x-postmates-signature': signature }
    },
  }
}

export function eventControls(state: UberState): FakeRoute[] {
  return [
    ...webhookControls(state.webhooks, TARGET, (target) => aimAt(state, target)),
    controlRoute('/_fake/refunds', REFUND, async ({ delivery_id }) => {
      const delivery = state.deliveries.get(delivery_id)
      if (!delivery) return { status: 404, body: { error: 'There is no such delivery.' } }
      sendRefund(state, delivery, state.server.clock.nowMs())
      await state.webhooks.settled()
      return undefined
    }),
  ]
}
