import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import type { Account } from './accounts.ts'
import { refused } from './error-answers.ts'
import { type ApiError, apiError, shipmentNotFound } from './errors.ts'
import { type Fields, fieldsOf, flagOf, listOf, numberOf, textOf } from './fields.ts'
import { labelsPdf, labelsZpl } from './label-paper.ts'
import { GROUPS, layoutOf, type Sheet } from './layouts.ts'
import { labelWords } from './moments.ts'
import { missing } from './read-party.ts'
import type { Item, LabelRequest, Shipment, State } from './state.ts'

/** How long a link is valid. The reference says that it expires, but not when. */
const LINK_MS = 60 * 60_000

/** Signs links; after a restart, the fake accepts no old link. */
const KEY = randomBytes(32)

/** Capability URL: opens the file until it expires; repeated while valid, then created again. */
function labelUrl({ clock, url }: State, request: LabelRequest): string {
  const nowMs = clock.nowMs()
  if (request.urlMadeMs === null || nowMs >= request.urlMadeMs + LINK_MS) request.urlMadeMs = nowMs
  const expires = Math.floor((request.urlMadeMs + LINK_MS) / 1_000)
  const name = `${request.requestId}.${request.format.toLowerCase()}`
  const query = new URLSearchParams({ Expires: String(expires), Signature: signature(name, expires) })
  return `${url()}/lodgement4/labels/${name}?${query}`
}

/** The labels' bytes; null when the link is invalid or expired. */
async function fileOf(
  { clock }: State,
  request: LabelRequest,
  query: URLSearchParams,
): Promise<FakeAnswer | null> {
  const expires = Number(query.get('Expires'))
  const expected = Buffer.from(signature(`${request.requestId}.${request.format.toLowerCase()}`, expires))
  const given = Buffer.from(query.get('Signature') ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  if (clock.nowMs() >= expires * 1_000) return null
  if (request.format === 'ZPL')
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: labelsZpl(request) }
  return { status: 200, headers: { 'content-type': 'application/pdf' }, body: await labelsPdf(request) }
}

function signature(name: string, expires: number): string {
  return createHmac('sha256', KEY).update(`${name}\n${expires}`).digest('base64url')
}

/** A larger request is always asynchronous. */
const MAX_AT_ONCE = 250
const MAX_ZPL = 50
/** How long the asynchronous way takes. */
const LATER_MS = 5_000

/** POST /labels. */
export function createLabels(state: State, account: Account, body: unknown): FakeAnswer {
  const fields = fieldsOf(body) ?? {}
  const errors: ApiError[] = []
  const shipments = readWanted(state, account, fields, errors)
  const items = shipments.flatMap(({ items }) => items)
  const preference = readPreference(fields, items, errors)
  const count = items.length
  if (preference?.format === 'ZPL' && count > MAX_ZPL) errors.push(apiError('51008'))
  if (items.some(({ ownTracking }) => ownTracking)) errors.push(apiError('51015'))
  if (errors.length === 0 && count === 0) errors.push(apiError('44033'))
  if (errors.length > 0 || !preference) return refused(400, ...errors)

  const nowMs = state.clock.nowMs()
  const waits = flagOf(fields.wait_for_label_url) === true && count <= MAX_AT_ONCE
  const request: LabelRequest = {
    ...preference,
    requestId: state.ids.request(),
    accountNumber: account.accountNumber,
    requestedMs: nowMs,
    readyMs: nowMs + Math.max(waits ? 0 : LATER_MS, state.labelWork.pendingSeconds * 1_000),
    failed: state.labelWork.failNext > 0,
    urlMadeMs: null,
    shipments,
  }
  if (request.failed) state.labelWork.failNext -= 1
  state.labels.set(request.requestId, request)
  for (const { items } of shipments) for (const item of items) item.labelRequestId = request.requestId
  const article_ids = shipments.flatMap(({ items }) => items.map(({ tracking }) => tracking.articleId))
  state.ledger.write('labels_requested', {
    request_id: request.requestId,
    format: request.format,
    article_ids,
  })
  return { status: 200, body: { labels: [requestAnswer(state, request)] } }
}

/** GET /labels/{request_id}: creates a new link when the old one expired. */
export function getLabel(state: State, account: Account, requestId: string): FakeAnswer {
  const request = state.labels.get(requestId)
  if (!request || request.accountNumber !== account.accountNumber)
    return refused(404, apiError('51020', { context: { request_id: requestId } }))
  return { status: 200, body: { labels: [requestAnswer(state, request)] } }
}

/** GET of the link itself. Capability URL: the link is the authorisation, and no key is needed. */
export async function downloadLabel(state: State, { params, query }: FakeRequest): Promise<FakeAnswer> {
  const [requestId = '', ending] = (params.file ?? '').split('.')
  const request = state.labels.get(requestId)
  if (!request || ending !== request.format.toLowerCase()) return storageError('NoSuchKey', 404)
  return (await fileOf(state, request, query)) ?? storageError('AccessDenied', 403)
}

function requestAnswer(state: State, request: LabelRequest) {
  const nowMs = state.clock.nowMs()
  const status = request.failed ? 'ERROR' : request.readyMs > nowMs ? 'PENDING' : 'AVAILABLE'
  const link = status === 'AVAILABLE' ? { url: labelUrl(state, request) } : {}
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

function readWanted(state: State, account: Account, fields: Fields, errors: ApiError[]): Wanted[] {
  const list = listOf(fields.shipments).map((one) => fieldsOf(one) ?? {})
  if (list.length === 0) errors.push(apiError('44033'))
  const unlabelledOnly = flagOf(fields.unlabelled_articles_only) === true
  return list.flatMap((group, index): Wanted[] => {
    const id = textOf(group.shipment_id) ?? ''
    const shipment = state.shipments.get(id)
    if (!shipment || shipment.accountNumber !== account.accountNumber) {
      errors.push(shipment ? apiError('44038') : shipmentNotFound(id))
      return []
    }
    const ids = listOf(group.items).map((item) => textOf(fieldsOf(item)?.item_id))
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

type Preference = Pick<LabelRequest, 'format' | 'layout' | 'offsetMm'>

/** The preference must have a group for each product group among the parcels. */
function readPreference(fields: Fields, items: readonly Item[], errors: ApiError[]): Preference | null {
  const preference = fieldsOf(listOf(fields.preferences)[0])
  if (!preference) {
    errors.push(missing('preferences'))
    return null
  }
  const wrong = (message: string, field: string) => errors.push(apiError('400', { message, field }))
  if (textOf(preference.type) !== 'PRINT')
    wrong('The type of a preference must be PRINT.', 'preferences[0].type')
  const format = textOf(preference.format) ?? 'PDF'
  if (format !== 'PDF' && format !== 'ZPL') wrong('The format must be PDF or ZPL.', 'preferences[0].format')

  const groups = listOf(preference.groups).map((group) => fieldsOf(group) ?? {})
  if (groups.length === 0) errors.push(missing('preferences[0].groups'))
  for (const [index, group] of groups.entries()) {
    const field = `preferences[0].groups[${index}]`
    const absent = ['group', 'layout', 'branded', 'left_offset', 'top_offset'].filter(
      (name) => group[name] === undefined,
    )
    for (const name of absent) errors.push(missing(`${field}.${name}`))
    const [name, layout] = [textOf(group.group), textOf(group.layout)]
    if (name !== null && !GROUPS.includes(name)) wrong(`${name} is not a label group.`, `${field}.group`)
    if (layout !== null && !layoutOf(layout)) wrong(`${layout} is not a layout.`, `${field}.layout`)
  }
  const layouts = [...new Set(items.map(({ product }) => product))].map((product): Sheet | undefined => {
    const group = groups.find((one) => textOf(one.group) === product.group)
    const layout = layoutOf(textOf(group?.layout) ?? '')
    if (!group) wrong(`The preferences have none for the group ${product.group}.`, 'preferences[0].groups')
    else if (layout && !layout.networks.includes(product.network))
      wrong(`The layout is not for ${product.group}.`, 'preferences[0].groups')
    return layout
  })
  const first = groups[0]
  const layout = layouts[0] ?? layoutOf('A4-1pp')
  if (!first || !layout || (format !== 'PDF' && format !== 'ZPL')) return null
  const offsetMm = { left: numberOf(first.left_offset) ?? 0, top: numberOf(first.top_offset) ?? 0 }
  return { format, layout, offsetMm }
}
