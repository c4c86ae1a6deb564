import type { FakeAnswer, FakeRequest } from '../fake.ts'
import type { Account } from './accounts.ts'
import { refused } from './error-answers.ts'
import { type ApiError, apiError, shipmentInitiated, shipmentNotFound } from './errors.ts'
import { pageOf, readPage } from './paging.ts'
import { readShipment } from './read-shipment.ts'
import { basketErrors, readShipments, usedArticles } from './read-shipments.ts'
import { shipmentAnswer } from './shipment-answer.ts'
import type { Shipment, State } from './state.ts'
import { changeShipment, dropShipment, storeShipment } from './store-shipment.ts'
import { warningsOf } from './warnings.ts'

/** POST /shipments. All are stored or all rejected. */
export function createShipments(state: State, account: Account, body: unknown): FakeAnswer {
  const { errors, drafts } = readShipments(account, body, { whole: true })
  errors.push(...usedArticles(state, drafts), ...basketErrors(state, account, drafts))
  if (errors.length > 0) return refused(400, ...errors)
  const created = drafts.map((draft) => storeShipment(state, account, draft))
  const shipments = created.map((shipment) => shipmentAnswer(state, shipment))
  return { status: 201, body: { shipments, ...warningsOf(drafts) } }
}

/** POST /shipments/validation: an empty response means valid. */
export function validateShipments(account: Account, body: unknown): FakeAnswer {
  const { errors } = readShipments(account, body, { whole: true })
  return errors.length > 0 ? refused(400, ...errors) : { status: 200 }
}

/** PUT /shipments/{id}: the body is the shipment, without a wrapper. */
export function updateShipment(state: State, account: Account, id: string, body: unknown): FakeAnswer {
  const shipment = state.shipments.get(id)
  const wrong = untouchable(account, shipment, id)
  if (wrong || !shipment) return wrong ?? refused(404, shipmentNotFound(id))
  const errors: ApiError[] = []
  const draft = readShipment(body, { account, field: '', whole: true }, errors)
  const known = shipment.items.map(({ itemId }) => itemId)
  for (const [index, { itemId }] of (draft?.items ?? []).entries()) {
    const message = `The shipment has no item with the item id ${itemId}.`
    if (itemId !== null && !known.includes(itemId))
      errors.push(apiError('400', { message, field: `items[${index}].item_id` }))
  }
  if (errors.length > 0 || !draft) return refused(400, ...errors)
  changeShipment(state, account, shipment, draft)
  return { status: 201, body: { ...shipmentAnswer(state, shipment), ...warningsOf([draft]) } }
}

/** DELETE of one by path or of several by query: all or nothing. */
export function deleteShipments(state: State, account: Account, ids: readonly string[]): FakeAnswer {
  if (ids.length === 0) return refused(400, apiError('44023'))
  const found: Shipment[] = []
  for (const id of ids) {
    const shipment = state.shipments.get(id)
    const wrong = untouchable(account, shipment, id)
    if (wrong || !shipment) return wrong ?? refused(404, shipmentNotFound(id))
    found.push(shipment)
  }
  for (const shipment of new Set(found)) dropShipment(state, shipment)
  return { status: 200 }
}

/** GET /shipments: by ids, or a page of the account's own, newest first. */
export function getShipments(state: State, account: Account, { query }: FakeRequest): FakeAnswer {
  const ids = idsIn(query.get('shipment_ids'))
  if (ids.length > 0) return byId(state, account, ids)
  const page = readPage(query, 'number_of_shipments')
  if ('answer' in page) return page.answer

  const references = idsIn(query.get('sender_reference'))
  const dates = idsIn(query.get('despatch_date'))
  const statuses = idsIn(query.get('status')).map((status) => status.toLowerCase())
  const own = [...state.shipments.values()]
    .reverse()
    .filter(({ accountNumber }) => accountNumber === account.accountNumber)
    .filter(({ createdMs }) => createdMs + state.listedAfterMs <= state.clock.nowMs())
    .filter(({ senderReferences }) => among(references, senderReferences))
    .filter(({ despatchDate }) => among(dates, [despatchDate]))
    .filter(({ orderId }) => among(statuses, [orderId === null ? 'created' : 'initiated']))
  const { rows, pagination } = pageOf(own, page)
  const shipments = rows.map((shipment) => shipmentAnswer(state, shipment, { parties: true }))
  return { status: 200, body: { shipments, pagination } }
}

/** A comma-separated list; a reference that contains a comma cannot be requested. */
export function idsIn(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

/**
 * Observed on the testbed: one unknown id among others is ignored; from two on, the response has errors
 * beside the shipments that were found.
 */
function byId(state: State, account: Account, ids: readonly string[]): FakeAnswer {
  const found: Shipment[] = []
  const absent: string[] = []
  for (const id of ids) {
    const shipment = state.shipments.get(id)
    if (!shipment) absent.push(id)
    else if (shipment.accountNumber !== account.accountNumber) return refused(400, apiError('44038'))
    else found.push(shipment)
  }
  const errors = absent.map(shipmentNotFound)
  if (found.length === 0) return refused(404, ...errors)
  const shipments = found.map((shipment) => shipmentAnswer(state, shipment, { parties: true }))
  return { status: 200, body: { shipments, ...(errors.length > 1 ? { errors } : {}) } }
}

function untouchable(account: Account, shipment: Shipment | undefined, id: string): FakeAnswer | null {
  if (!shipment) return refused(404, shipmentNotFound(id))
  if (shipment.accountNumber !== account.accountNumber) return refused(400, apiError('44038'))
  if (shipment.inProgress) return refused(400, apiError('44017', { context: { shipment_id: id } }))
  return shipment.orderId === null ? null : refused(400, shipmentInitiated(id))
}

function among(values: readonly string[], has: readonly (string | null)[]): boolean {
  return values.length === 0 || has.some((one) => one !== null && values.includes(one))
}
