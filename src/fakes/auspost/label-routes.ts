import type { FakeAnswer, FakeRequest } from '../fake.ts'
import type { Account } from './accounts.ts'
import { refused } from './error-answers.ts'
import { type ApiError, apiError, shipmentNotFound } from './errors.ts'
import { type Fields, fieldsOf, flagOf, listOf, textOf } from './fields.ts'
import { fileOf, labelUrl } from './label-file.ts'
import { labelWords } from './moments.ts'
import { readPreference } from './read-preference.ts'
import type { Item, LabelRequest, Shipment, World } from './world.ts'

/** A larger request is always asynchronous. */
const MOST_AT_ONCE = 250
const MOST_ZPL = 50
/** How long the asynchronous way takes. */
const LATER_MS = 5_000

/** POST /labels. */
export function createLabels(world: World, account: Account, body: unknown): FakeAnswer {
  const told = fieldsOf(body) ?? {}
  const errors: ApiError[] = []
  const shipments = readWanted(world, account, told, errors)
  const wanted = shipments.flatMap(({ items }) => items)
  const preference = readPreference(told, wanted, errors)
  const count = wanted.length
  if (preference?.format === 'ZPL' && count > MOST_ZPL) errors.push(apiError('51008'))
  if (wanted.some(({ ownTracking }) => ownTracking)) errors.push(apiError('51015'))
  if (errors.length === 0 && count === 0) errors.push(apiError('44033'))
  if (errors.length > 0 || !preference) return refused(400, ...errors)

  const nowMs = world.clock.nowMs()
  const waits = flagOf(told.wait_for_label_url) === true && count <= MOST_AT_ONCE
  const request: LabelRequest = {
    ...preference,
    requestId: world.ids.request(),
    accountNumber: account.accountNumber,
    requestedMs: nowMs,
    readyMs: nowMs + Math.max(waits ? 0 : LATER_MS, world.labelWork.pendingSeconds * 1_000),
    failed: world.labelWork.failNext > 0,
    urlMadeMs: null,
    shipments,
  }
  if (request.failed) world.labelWork.failNext -= 1
  world.labels.set(request.requestId, request)
  for (const { items } of shipments) for (const item of items) item.labelRequestId = request.requestId
  const article_ids = shipments.flatMap(({ items }) => items.map(({ tracking }) => tracking.articleId))
  world.ledger.write('labels_requested', {
    request_id: request.requestId,
    format: request.format,
    article_ids,
  })
  return { status: 200, body: { labels: [requestAnswer(world, request)] } }
}

/** GET /labels/{request_id}: creates a new link when the old one expired. */
export function getLabel(world: World, account: Account, requestId: string): FakeAnswer {
  const request = world.labels.get(requestId)
  if (!request || request.accountNumber !== account.accountNumber)
    return refused(404, apiError('51020', { context: { request_id: requestId } }))
  return { status: 200, body: { labels: [requestAnswer(world, request)] } }
}

/** GET of the link itself. Capability URL: the link is the authorisation, and no key is needed. */
export async function downloadLabel(world: World, { params, query }: FakeRequest): Promise<FakeAnswer> {
  const [requestId = '', ending] = (params.file ?? '').split('.')
  const request = world.labels.get(requestId)
  if (!request || ending !== request.format.toLowerCase()) return storageError('NoSuchKey', 404)
  return (await fileOf(world, request, query)) ?? storageError('AccessDenied', 403)
}

function requestAnswer(world: World, request: LabelRequest) {
  const nowMs = world.clock.nowMs()
  const status = request.failed ? 'ERROR' : request.readyMs > nowMs ? 'PENDING' : 'AVAILABLE'
  const link = status === 'AVAILABLE' ? { url: labelUrl(world, request) } : {}
  return {
    request_id: request.requestId,
    ...link,
    status,
    request_date: labelWords(request.requestedMs),
    ...(request.urlMadeMs === null ? {} : { url_creation_date: labelWords(request.urlMadeMs) }),
    shipments: request.shipments.map(({ shipment, items }) => ({
      shipment_id: shipment.shipmentId,
      options: {},
      items: items.map(({ itemId }) => ({ item_id: itemId })),
    })),
    shipment_ids: request.shipments.map(({ shipment }) => shipment.shipmentId),
  }
}

type Wanted = { shipment: Shipment; items: Item[] }

function readWanted(world: World, account: Account, told: Fields, errors: ApiError[]): Wanted[] {
  const list = listOf(told.shipments).map((one) => fieldsOf(one) ?? {})
  if (list.length === 0) errors.push(apiError('44033'))
  const unlabelledOnly = flagOf(told.unlabelled_articles_only) === true
  return list.flatMap((wanted, index): Wanted[] => {
    const id = textOf(wanted.shipment_id) ?? ''
    const shipment = world.shipments.get(id)
    if (!shipment || shipment.accountNumber !== account.accountNumber) {
      errors.push(shipment ? apiError('44038') : shipmentNotFound(id))
      return []
    }
    const ids = listOf(wanted.items).map((item) => textOf(fieldsOf(item)?.item_id))
    const items = shipment.items.filter(({ itemId }) => ids.length === 0 || ids.includes(itemId))
    if (items.length < new Set(ids).size)
      errors.push(
        apiError('400', { message: 'The shipment has no such item.', field: `shipments[${index}].items` }),
      )
    return [
      { shipment, items: items.filter(({ labelRequestId }) => !unlabelledOnly || labelRequestId === null) },
    ]
  })
}

/** The links lead to a file store, which answers in XML. */
function storageError(code: 'NoSuchKey' | 'AccessDenied', status: number): FakeAnswer {
  const message = code === 'NoSuchKey' ? 'The specified key does not exist.' : 'Request has expired'
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  }
}
