import type { FakeAnswer } from '../fake.ts'
import type { Account } from './accounts.ts'
import { refused } from './error-answers.ts'
import { type ApiError, apiError, orderNotFound, shipmentInitiated, shipmentNotFound } from './errors.ts'
import { type Fields, fieldsOf, listOf, textOf } from './fields.ts'
import { instantWords } from './moments.ts'
import { orderPdf } from './order-paper.ts'
import { pageOf, readPage } from './paging.ts'
import { totalWords } from './prices.ts'
import { readShipments, usedArticles } from './read-shipments.ts'
import { shipmentAnswer } from './shipment-answer.ts'
import type { Order, Shipment, State } from './state.ts'
import { ledgerEntryOf, storeShipment } from './store-shipment.ts'
import { trackingSummary } from './tracking.ts'

const MAX_ITEMS = 2_000

/**
 * PUT /orders: this is when charges apply, so a shipment can be in one order only. All are accepted or all
 * rejected.
 */
export function orderShipments(state: State, account: Account, body: unknown): FakeAnswer {
  const fields = fieldsOf(body) ?? {}
  const errors = orderErrors(fields)
  const ids = listOf(fields.shipments).map((one) => textOf(fieldsOf(one)?.shipment_id) ?? '')
  if (ids.length === 0) errors.push(apiError('44015'))
  const found: Shipment[] = []
  for (const [index, id] of ids.entries()) {
    const shipment = state.shipments.get(id)
    const wrong = shipment ? cannotOrder(state, account, shipment) : shipmentNotFound(id)
    if (wrong || !shipment) errors.push(wrong ?? shipmentNotFound(id))
    else if (ids.indexOf(id) < index) errors.push(shipmentInitiated(id))
    else found.push(shipment)
  }
  if (itemsIn(found) > MAX_ITEMS)
    errors.push(apiError('44031', { message: `An order cannot contain more than ${MAX_ITEMS} items.` }))
  if (errors.length > 0) return refused(400, ...errors)
  return { status: 201, body: { order: orderAnswer(state, storeOrder(state, account, fields, found), true) } }
}

/** POST /orders: creates shipments and orders them at once. */
export function orderIncluding(state: State, account: Account, body: unknown): FakeAnswer {
  const fields = fieldsOf(body) ?? {}
  const { errors, drafts } = readShipments(account, body, { whole: true })
  errors.push(...orderErrors(fields), ...usedArticles(state, drafts))
  if (errors.length > 0) return refused(400, ...errors)
  const created = drafts.map((draft) => storeShipment(state, account, draft))
  return {
    status: 201,
    body: { order: orderAnswer(state, storeOrder(state, account, fields, created), true) },
  }
}

export function getOrder(state: State, account: Account, orderId: string): FakeAnswer {
  const order = findOrder(state, account, orderId)
  return order
    ? { status: 200, body: { order: orderAnswer(state, order, false) } }
    : refused(404, orderNotFound(orderId))
}

/** GET /orders: a page of the account's own orders, newest first. */
export function listOrders(state: State, account: Account, query: URLSearchParams): FakeAnswer {
  const page = readPage(query, 'number_of_orders')
  if ('answer' in page) return page.answer
  const own = [...state.orders.values()]
    .filter(({ accountNumber }) => accountNumber === account.accountNumber)
    .reverse()
  const { rows, pagination } = pageOf(own, page)
  return { status: 200, body: { orders: rows.map((order) => orderAnswer(state, order, false)), pagination } }
}

/** GET /accounts/{account}/orders/{order}/summary: the account in the path is the caller's. */
export async function getOrderSummary(
  state: State,
  account: Account,
  { account_number, order_id = '' }: Readonly<Record<string, string>>,
): Promise<FakeAnswer> {
  if (account_number !== account.accountNumber) return refused(400, apiError('41002'))
  const order = findOrder(state, account, order_id)
  if (!order) return refused(400, orderNotFound(order_id))
  return { status: 200, headers: { 'content-type': 'application/pdf' }, body: await orderPdf(order) }
}

function findOrder({ orders }: State, account: Account, orderId: string): Order | undefined {
  const order = orders.get(orderId)
  return order?.accountNumber === account.accountNumber ? order : undefined
}

function storeOrder(state: State, account: Account, fields: Fields, shipments: readonly Shipment[]): Order {
  const order: Order = {
    orderId: state.ids.order(),
    accountNumber: account.accountNumber,
    reference: textOf(fields.order_reference),
    consignor: textOf(fields.consignor),
    createdMs: state.clock.nowMs(),
    shipments,
  }
  state.orders.set(order.orderId, order)
  for (const shipment of shipments)
    Object.assign(shipment, { orderId: order.orderId, orderedMs: order.createdMs })
  state.ledger.write('order_created', {
    order_id: order.orderId,
    order_reference: order.reference,
    total_cost: totalWords(costCents(order)).total_cost,
    shipments: shipments.map(ledgerEntryOf),
  })
  return order
}

function cannotOrder(state: State, account: Account, shipment: Shipment): ApiError | null {
  if (shipment.accountNumber !== account.accountNumber) {
    const other = state.accounts.get(shipment.accountNumber)
    return apiError(other?.apiKey === account.apiKey ? '44059' : '44038')
  }
  if (shipment.inProgress) return apiError('44017', { context: { shipment_id: shipment.shipmentId } })
  if (shipment.orderId !== null) return shipmentInitiated(shipment.shipmentId)
  const bare = shipment.items.some((item) => item.labelRequestId === null && !item.ownTracking)
  return bare && state.labelWork.beforeOrder
    ? apiError('44044', { context: { shipment_id: shipment.shipmentId } })
    : null
}

function orderErrors(fields: Fields): ApiError[] {
  const over = (name: string, max: number) =>
    (textOf(fields[name]) ?? '').length > max
      ? [apiError('400', { message: `${name} cannot exceed ${max} characters.`, field: name })]
      : []
  const payment = textOf(fields.payment_method) ?? 'CHARGE_TO_ACCOUNT'
  return [
    ...over('order_reference', 50),
    ...over('consignor', 40),
    ...(payment === 'CHARGE_TO_ACCOUNT'
      ? []
      : [
          apiError('400', {
            message: 'The payment method must be CHARGE_TO_ACCOUNT.',
            field: 'payment_method',
          }),
        ]),
  ]
}

function itemsIn(shipments: readonly Shipment[]): number {
  return shipments.reduce((sum, { items }) => sum + items.length, 0)
}

/** `sealed`: the response that creates the order, before anything has happened to its parcels. */
function orderAnswer(state: State, order: Order, sealed: boolean) {
  const { shipments } = order
  const items = shipments.flatMap((shipment) => shipment.items)
  const methods: Record<string, number> = {}
  for (const { product } of items) methods[product.productId] = (methods[product.productId] ?? 0) + 1
  const totalKg = items.reduce((sum, { measures }) => sum + measures.weightKg, 0)
  return {
    order_id: order.orderId,
    ...(order.reference === null ? {} : { order_reference: order.reference }),
    order_creation_date: instantWords(order.createdMs),
    order_summary: {
      ...totalWords(costCents(order)),
      status: 'Initiated',
      tracking_summary: sealed ? { Sealed: items.length } : trackingSummary(shipments, state.clock.nowMs()),
      number_of_shipments: shipments.length,
      number_of_items: items.length,
      dangerous_goods_included: items.some(({ dangerousGoods }) => dangerousGoods),
      total_weight: Math.round(totalKg * 1_000) / 1_000,
      shipping_methods: methods,
    },
    shipments: shipments.map((shipment) => shipmentAnswer(state, shipment, { sealed, parties: !sealed })),
    payment_method: 'CHARGE_TO_ACCOUNT',
    ...(order.consignor === null ? {} : { consignor: order.consignor }),
  }
}

function costCents({ shipments }: Order): number {
  return shipments.reduce((sum, { cost }) => sum + cost.totalCents, 0)
}
