import { couriers } from '../couriers.ts'
import { type FakeCarrier, type FakeOptions, type FakeServer, type RunningFake, startFake } from '../fake.ts'
import { startSchedule } from '../schedule.ts'
import { webhookSender } from '../webhook-sender.ts'
import { type DoorDashKey, guard } from './callers.ts'
import { acceptQuote, createDelivery, createQuote } from './create.ts'
import { creationControl } from './creation.ts'
import { failure, serviceFault, unknownDelivery } from './errors.ts'
import { type DoorDashTarget, eventControls, provenTarget } from './events.ts'
import { cancelDelivery, checkServiceability, getDelivery, pictureFile, updateDelivery } from './follow.ts'
import type { DoorDashState } from './state.ts'

/** The only key that it accepts. */
export const DOORDASH_KEY: DoorDashKey = {
  developerId: '7c1a3f4e-0000-4000-8000-00000000fa4e',
  keyId: '1d2b6c8a-0000-4000-8000-00000000fa4e',
  signingSecret: 'ZmFrZS1zaWduaW5nLXNlY3JldC1vZi10aGUtZmFrZQ',
}

export type DoorDashOptions = FakeOptions & {
  /** Where webhooks are sent from the start; later, `POST /_fake/webhooks`. */
  webhook?: DoorDashTarget
  /** The response to the same request under the same id: 409 `duplicate_delivery_id`, or the existing delivery. */
  repeats?: 'refused' | 'replayed'
  /** By the machine's clock; null is unlimited. */
  requestsAMinute?: number | null
  /** The clock that JWTs are checked against; the machine's clock by default. */
  wallMs?: () => number
}

/** Rate limit: "About 300 in any window of 60 seconds" for each key. */
const REQUESTS_A_MINUTE = 300
/** Up to three attempts in all; the waits are not documented. By the fake's clock. */
const RETRY_WAITS_MS = [5_000, 30_000]

/** Fake of DoorDash Drive v2, from its references; see docs/guides/fakes.md. Throws when the port is in use. */
export function startDoorDash(options: DoorDashOptions = {}): Promise<RunningFake> {
  return startFake((server) => doorDash(server, options), options)
}

function doorDash(
  server: FakeServer,
  { webhook, repeats = 'refused', requestsAMinute = REQUESTS_A_MINUTE, wallMs = Date.now }: DoorDashOptions,
): FakeCarrier {
  const schedule = startSchedule(server.clock)
  const webhooks = webhookSender(server, schedule, {
    accepted: (status) => status === 200,
    waitsMs: RETRY_WAITS_MS,
  })
  if (webhook) webhooks.target = provenTarget(webhook)
  const road = couriers(['no_dasher'])
  const state: DoorDashState = {
    server,
    schedule,
    webhooks,
    tracking: webhook?.tracking ?? false,
    couriers: road,
    deliveries: new Map(),
    repeats,
    creationMs: 0,
    askedTooSoon: new Set(),
  }
  const one = '/drive/v2/deliveries/:id'
  return {
    routes: [
      {
        name: 'create_quote',
        method: 'POST',
        path: '/drive/v2/quotes',
        answer: (request) => createQuote(state, request),
      },
      {
        name: 'accept_quote',
        method: 'POST',
        path: '/drive/v2/quotes/:id/accept',
        answer: (request) => acceptQuote(state, request),
      },
      {
        name: 'create_delivery',
        method: 'POST',
        path: '/drive/v2/deliveries',
        answer: (request) => createDelivery(state, request),
      },
      { name: 'get_delivery', method: 'GET', path: one, answer: (request) => getDelivery(state, request) },
      {
        name: 'update_delivery',
        method: 'PATCH',
        path: one,
        answer: (request) => updateDelivery(state, request),
      },
      {
        name: 'cancel_delivery',
        method: 'PUT',
        path: `${one}/cancel`,
        answer: (request) => cancelDelivery(state, request),
      },
      {
        name: 'serviceability',
        method: 'POST',
        path: '/drive/v2/serviceability',
        answer: (request) => checkServiceability(state, request),
      },
      { name: 'picture', method: 'GET', path: '/pictures/:name', answer: pictureFile },
    ],
    signIn: {
      developer_id: DOORDASH_KEY.developerId,
      key_id: DOORDASH_KEY.keyId,
      signing_secret: DOORDASH_KEY.signingSecret,
    },
    admit: guard(DOORDASH_KEY, wallMs, requestsAMinute),
    unknownPath: () => unknownDelivery(''),
    failure,
    internalFailure: serviceFault,
    catchUp: schedule.catchUp,
    settled: webhooks.settled,
    controls: [...road.controls, ...eventControls(state), creationControl(state)],
    close: schedule.close,
  }
}
