import { couriers } from '../couriers.ts'
import { emptied } from '../emptied.ts'
import { type FakeCarrier, type FakeOptions, type FakeServer, type RunningFake, startFake } from '../fake.ts'
import { startSchedule } from '../schedule.ts'
import { webhookSender } from '../webhook-sender.ts'
import { createDelivery } from './create.ts'
import { failure, refuse, timedOut } from './errors.ts'
import { aimAt, eventControls, type UberTarget } from './events.ts'
import { cancelDelivery, getDelivery, listDeliveries } from './follow.ts'
import { mapControl } from './map.ts'
import { pictureFile, proofOfDelivery } from './proof.ts'
import { createQuote } from './quotes.ts'
import { type Repeats, repeatsControl } from './repeats.ts'
import type { UberState } from './state.ts'
import { TOKEN_PATH, tokenOffice, type UberClient } from './tokens.ts'
import { updateDelivery } from './update.ts'

/** The only client that it accepts. */
export const UBER_CLIENT: UberClient = {
  clientId: 'fake-client-id',
  clientSecret: 'fake-client-secret',
  customerId: 'cus_fake',
}

export type UberDirectOptions = FakeOptions & {
  /** Where webhooks are sent from the start; later, `POST /_fake/webhooks`. */
  webhook?: UberTarget
  /** The response to a repeated idempotency key; later, `POST /_fake/repeats`. */
  repeats?: Repeats
}

/** Retries are documented, but not their number and waits. By the fake's clock. */
const RETRY_WAITS_MS = [5_000, 15_000, 45_000, 135_000]

/** Fake of Uber Direct (DaaS v1), from its references; see docs/guides/fakes.md. Throws when the port is in use. */
export function startUberDirect(options: UberDirectOptions = {}): Promise<RunningFake> {
  return startFake((server) => uberDirect(server, options), options)
}

function uberDirect(server: FakeServer, { webhook, repeats = 'refused' }: UberDirectOptions): FakeCarrier {
  const schedule = startSchedule(server.clock)
  const webhooks = webhookSender(server, schedule, {
    accepted: (status) => status >= 200 && status < 300,
    waitsMs: RETRY_WAITS_MS,
  })
  const road = couriers(['address_undeliverable_limited_couriers', 'couriers_busy'])
  const state: UberState = {
    server,
    schedule,
    webhooks,
    kinds: new Set(),
    couriers: road,
    customerId: UBER_CLIENT.customerId,
    quotes: new Map(),
    deliveries: new Map(),
    keys: new Map(),
    pairs: new Map(),
    repeats,
    unknownPlace: null,
  }
  if (webhook) webhooks.target = aimAt(state, webhook)
  const office = tokenOffice(server, UBER_CLIENT)
  const all = '/v1/customers/:customerId/deliveries'
  const one = `${all}/:deliveryId`
  return {
    routes: [
      { name: 'token', method: 'POST', path: TOKEN_PATH, answer: office.issue },
      {
        name: 'create_quote',
        method: 'POST',
        path: '/v1/customers/:customerId/delivery_quotes',
        answer: (request) => createQuote(state, request),
      },
      {
        name: 'create_delivery',
        method: 'POST',
        path: all,
        answer: (request) => createDelivery(state, request),
      },
      {
        name: 'list_deliveries',
        method: 'GET',
        path: all,
        answer: (request) => listDeliveries(state, request),
        emptied: emptied('data', { next_href: '' }),
      },
      { name: 'get_delivery', method: 'GET', path: one, answer: (request) => getDelivery(state, request) },
      {
        name: 'update_delivery',
        method: 'POST',
        path: one,
        answer: (request) => updateDelivery(state, request),
      },
      {
        name: 'cancel_delivery',
        method: 'POST',
        path: `${one}/cancel`,
        answer: (request) => cancelDelivery(state, request),
      },
      {
        name: 'proof_of_delivery',
        method: 'POST',
        path: `${one}/proof-of-delivery`,
        answer: (request) => proofOfDelivery(state, request),
      },
      { name: 'picture', method: 'GET', path: '/pictures/:name', answer: pictureFile },
    ],
    signIn: {
      customer_id: UBER_CLIENT.customerId,
      client_id: UBER_CLIENT.clientId,
      client_secret: UBER_CLIENT.clientSecret,
    },
    admit: office.admit,
    unknownPath: () => refuse('delivery_not_found'),
    failure,
    internalFailure: timedOut,
    catchUp: schedule.catchUp,
    settled: webhooks.settled,
    controls: [...road.controls, ...eventControls(state), repeatsControl(state), mapControl(state)],
    close: schedule.close,
  }
}
