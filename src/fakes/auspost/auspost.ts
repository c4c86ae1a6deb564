import { timingSafeEqual } from 'node:crypto'
import type { FakeAnswer, FakeCarrier, FakeDesk, FakeRequest, FakeRoute } from '../fake.ts'
import { jsonOf } from '../input.ts'
import { type Account, accountAnswer } from './accounts.ts'
import { apiError, gatewayError, refused, unreadable } from './errors.ts'
import { fieldsOf, textOf } from './fields.ts'
import { knobsOf } from './knobs.ts'
import { createLabels, downloadLabel, getLabel } from './label-routes.ts'
import { getOrder, getOrderSummary, orderIncluding, orderShipments } from './order-routes.ts'
import { priceItems, priceShipments } from './price-routes.ts'
import {
  createShipments,
  deleteShipments,
  getShipments,
  idsIn,
  updateShipment,
  validateShipments,
} from './shipment-routes.ts'
import { hasSuburb, suburbsOf } from './suburbs.ts'
import { tooManyRequests, track } from './track-routes.ts'
import { newWorld, type World } from './world.ts'

/** Production and testbed: the same world behind both. */
const BASES = ['/shipping/v1', '/test/shipping/v1']
const FILES = '/lodgement4/labels/'

type Answering = (account: Account, request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

/** Australia Post's and StarTrack's Shipping & Tracking API v1, from its references: see readme.md. */
export function auspost(desk: FakeDesk): FakeCarrier {
  const world = newWorld(desk)
  return {
    routes: [
      ...BASES.flatMap((base) => operationsOf(world, base)),
      {
        name: 'download_label',
        method: 'GET',
        path: `${FILES}:file`,
        answer: (request) => downloadLabel(world, request),
      },
    ],
    admit: ({ path, headers }) => (path.startsWith(FILES) || callerOf(world, headers) ? null : notKnown()),
    unknownPath: () => gatewayError(404, 'API_003', 'Not found', 'No resource is found at this path.'),
    failure,
    controls: knobsOf(world),
  }
}

function operationsOf(world: World, base: string): FakeRoute[] {
  const route = (
    name: string,
    method: FakeRoute['method'],
    path: string,
    answering: Answering,
  ): FakeRoute => ({
    name,
    method,
    path: `${base}${path}`,
    answer: (request) => asAccount(world, request, answering),
  })
  const withBody =
    (answering: (account: Account, body: unknown, request: FakeRequest) => FakeAnswer): Answering =>
    (account, request) => {
      const body = jsonOf(request)
      return fieldsOf(body) ? answering(account, body, request) : unreadable('The body is not a JSON object.')
    }
  const id = ({ params }: FakeRequest) => params.id ?? ''
  return [
    route('get_account', 'GET', '/accounts/:id', (account, request) =>
      id(request) === account.accountNumber
        ? { status: 200, body: accountAnswer(account) }
        : refused(404, apiError('41002', { context: { account_number: id(request) } })),
    ),
    route('validate_suburb', 'GET', '/address', (_, { query }) => suburbAnswer(query)),
    route('validate_shipments', 'POST', '/shipments/validation', withBody(validateShipments)),
    route('price_items', 'POST', '/prices/items', withBody(priceItems)),
    route('price_shipments', 'POST', '/prices/shipments', withBody(priceShipments)),
    route(
      'create_shipments',
      'POST',
      '/shipments',
      withBody((account, body) => createShipments(world, account, body)),
    ),
    route('get_shipments', 'GET', '/shipments', (account, request) => getShipments(world, account, request)),
    route('delete_shipments', 'DELETE', '/shipments', (account, { query }) =>
      deleteShipments(world, account, idsIn(query.get('shipment_ids'))),
    ),
    route(
      'update_shipment',
      'PUT',
      '/shipments/:id',
      withBody((account, body, request) => updateShipment(world, account, id(request), body)),
    ),
    route('delete_shipment', 'DELETE', '/shipments/:id', (account, request) =>
      deleteShipments(world, account, [id(request)]),
    ),
    route(
      'create_labels',
      'POST',
      '/labels',
      withBody((account, body) => createLabels(world, account, body)),
    ),
    route('get_label', 'GET', '/labels/:id', (account, request) => getLabel(world, account, id(request))),
    route(
      'order_shipments',
      'PUT',
      '/orders',
      withBody((account, body) => orderShipments(world, account, body)),
    ),
    route(
      'order_including',
      'POST',
      '/orders',
      withBody((account, body) => orderIncluding(world, account, body)),
    ),
    route('get_order', 'GET', '/orders/:id', (account, request) => getOrder(world, account, id(request))),
    route(
      'get_order_summary',
      'GET',
      '/accounts/:account_number/orders/:order_id/summary',
      (account, { params }) => getOrderSummary(world, account, params),
    ),
    route('track', 'GET', '/track', (account, { query }) =>
      track(world, account, idsIn(query.get('tracking_ids'))),
    ),
  ]
}

/** The account is in its header; `GET /accounts/{n}` does without. An expired contract can only be looked at. */
function asAccount(
  world: World,
  request: FakeRequest,
  answering: Answering,
): FakeAnswer | Promise<FakeAnswer> {
  const looks = /\/accounts\/(\d+)$/.exec(request.path)?.[1]
  const number = textOf(request.headers['account-number']) ?? looks ?? ''
  const account = world.accounts.get(number)
  const caller = callerOf(world, request.headers)
  if (!account || account.apiKey !== caller) {
    const message = `Customer information for the submitted customer identifier ${number} could not be found. For further assistance please contact your Account Manager or call Australia Post on 13 21 31.`
    return refused(400, apiError('41001', { message }))
  }
  if (account.expired && looks === undefined) return refused(400, apiError('41003'))
  return answering(account, request)
}

/** The API key of a right pair; null for any other. */
function callerOf({ accounts }: World, headers: FakeRequest['headers']): string | null {
  const given = Buffer.from(headers.authorization ?? '')
  for (const { apiKey, apiPassword } of accounts.values()) {
    const right = Buffer.from(`Basic ${Buffer.from(`${apiKey}:${apiPassword}`).toString('base64')}`)
    if (given.length === right.length && timingSafeEqual(given, right)) return apiKey
  }
  return null
}

function suburbAnswer(query: URLSearchParams): FakeAnswer {
  const [suburb, state, postcode] = ['suburb', 'state', 'postcode'].map(
    (name) => query.get(name)?.trim() ?? '',
  )
  const results = suburbsOf(state!, postcode!)
  if (suburb === '' || results.length === 0)
    return refused(
      400,
      apiError('400', { message: `Unable to find a match for provided suburb: ${suburb || 'null'}` }),
    )
  return { status: 200, body: { found: hasSuburb(suburb!, state!, postcode!), results } }
}

function notKnown(): FakeAnswer {
  return gatewayError(401, 'API_001', 'Unauthorised', 'The API key or password is not right.')
}

/** 429 and 401 are the gateway's, 500 the platform's, and what is beyond is a proxy's page. */
function failure(status: number): FakeAnswer {
  if (status === 429) return tooManyRequests()
  if (status === 401 || status === 403) return { ...notKnown(), status }
  if (status === 422) return unreadable('The request could not be processed.')
  if (status < 500) return refused(status, apiError('400', { message: 'The request is refused.' }))
  if (status === 500)
    return {
      status,
      body: { errors: [{ code: 'ESB-20010', name: 'System Error', message: 'Internal technical error' }] },
    }
  return {
    status,
    headers: { 'content-type': 'text/html' },
    body: `<html><head><title>${status}</title></head><body><h1>Service temporarily unavailable</h1></body></html>`,
  }
}
