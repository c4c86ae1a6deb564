import { emptied } from '../emptied.ts'
import type { FakeAnswer, FakeRequest, FakeRoute } from '../fake.ts'
import { jsonOf } from '../input.ts'
import { type Account, accountAnswer } from './accounts.ts'
import { type Answering, asAccount } from './callers.ts'
import { refused, unreadable } from './error-answers.ts'
import { apiError } from './errors.ts'
import { fieldsOf } from './fields.ts'
import { createLabels, getLabel } from './label-routes.ts'
import { getOrder, getOrderSummary, listOrders, orderIncluding, orderShipments } from './order-routes.ts'
import { priceItems, priceShipments } from './price-routes.ts'
import {
  createShipments,
  deleteShipments,
  getShipments,
  idsIn,
  updateShipment,
  validateShipments,
} from './shipment-routes.ts'
import type { State } from './state.ts'
import { hasSuburb, suburbsOf } from './suburbs.ts'
import { track } from './track-routes.ts'

/** Every operation of the API under a base path, by the names that faults and the ledger use. */
export function operationsOf(state: State, base: string): FakeRoute[] {
  const route = (
    name: string,
    method: FakeRoute['method'],
    path: string,
    answering: Answering,
  ): FakeRoute => ({
    name,
    method,
    path: `${base}${path}`,
    answer: (request) => asAccount(state, request, answering),
  })
  const withBody =
    (answering: (account: Account, body: unknown, request: FakeRequest) => FakeAnswer): Answering =>
    (account, request) => {
      const body = jsonOf(request)
      return fieldsOf(body) ? answering(account, body, request) : unreadable()
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
      withBody((account, body) => createShipments(state, account, body)),
    ),
    {
      ...route('get_shipments', 'GET', '/shipments', (account, request) =>
        getShipments(state, account, request),
      ),
      // Shipments requested by id are not a list.
      emptied: (request, answer) =>
        request.query.has('shipment_ids') ? answer : emptied('shipments')(request, answer),
    },
    route('delete_shipments', 'DELETE', '/shipments', (account, { query }) =>
      deleteShipments(state, account, idsIn(query.get('shipment_ids'))),
    ),
    route(
      'update_shipment',
      'PUT',
      '/shipments/:id',
      withBody((account, body, request) => updateShipment(state, account, id(request), body)),
    ),
    route('delete_shipment', 'DELETE', '/shipments/:id', (account, request) =>
      deleteShipments(state, account, [id(request)]),
    ),
    route(
      'create_labels',
      'POST',
      '/labels',
      withBody((account, body) => createLabels(state, account, body)),
    ),
    route('get_label', 'GET', '/labels/:id', (account, request) => getLabel(state, account, id(request))),
    route(
      'order_shipments',
      'PUT',
      '/orders',
      withBody((account, body) => orderShipments(state, account, body)),
    ),
    route(
      'order_including',
      'POST',
      '/orders',
      withBody((account, body) => orderIncluding(state, account, body)),
    ),
    route('list_orders', 'GET', '/orders', (account, { query }) => listOrders(state, account, query)),
    route('get_order', 'GET', '/orders/:id', (account, request) => getOrder(state, account, id(request))),
    route(
      'get_order_summary',
      'GET',
      '/accounts/:account_number/orders/:order_id/summary',
      (account, { params }) => getOrderSummary(state, account, params),
    ),
    route('track', 'GET', '/track', (account, { query }) =>
      track(state, account, idsIn(query.get('tracking_ids'))),
    ),
  ]
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
