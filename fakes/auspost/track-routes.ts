import type { FakeAnswer } from '../fake.ts'
import type { Account } from './accounts.ts'
import { refused, tooManyRequests } from './error-answers.ts'
import { apiError } from './errors.ts'
import { instantWords } from './moments.ts'
import type { Item, Scan, Shipment, State } from './state.ts'
import { updatesOf } from './tracking.ts'

const MAX_IDS = 10
const MAX_PER_MINUTE = 10
const MINUTE_MS = 60_000

/** StarTrack's consignments and articles start with four letters and digits and eight digits. */
const STARTRACK_ID = /^[A-Z][A-Z0-9]{3}\d{8}([A-Z]{3}\d{5})?$/

/**
 * GET /track: ten ids per request, ten requests a minute. An unknown id is an error inside a successful
 * response.
 */
export function track(state: State, account: Account, ids: readonly string[]): FakeAnswer {
  if (tooOften(state, account.apiKey)) return tooManyRequests()
  if (ids.length === 0) return refused(400, apiError('51100'))
  const startrack = ids.filter((id) => isStarTrack(state, id)).length
  if (startrack > 0 && startrack < ids.length) return refused(400, apiError('51103'))
  if (ids.length > MAX_IDS) return refused(400, apiError(startrack > 0 ? '51102' : '51101'))
  return { status: 200, body: { tracking_results: ids.map((id) => resultOf(state, id)) } }
}

/** Rejected requests do not count towards the rate limit. */
function tooOften({ clock, trackedAt }: State, apiKey: string): boolean {
  const nowMs = clock.nowMs()
  const recent = (trackedAt.get(apiKey) ?? []).filter((atMs) => atMs > nowMs - MINUTE_MS)
  const over = recent.length >= MAX_PER_MINUTE
  trackedAt.set(apiKey, over ? recent : [...recent, nowMs])
  return over
}

function isStarTrack({ tracked, accounts }: State, id: string): boolean {
  const shipment = tracked.get(id)
  if (!shipment) return STARTRACK_ID.test(id)
  return accounts.get(shipment.accountNumber)?.network === 'startrack'
}

function resultOf(state: State, id: string) {
  const shipment = state.tracked.get(id)
  if (!shipment) return { tracking_id: id, errors: [{ code: 'ESB-10001', name: 'Invalid tracking ID' }] }
  const nowMs = state.clock.nowMs()
  const ofConsignment = shipment.items.filter(({ tracking }) => tracking.consignmentId === id)
  if (isStarTrack(state, id)) return starTrackResult(shipment, id, ofConsignment, nowMs)
  if (ofConsignment.length > 0) {
    const items = ofConsignment.map((item) => itemAnswer(shipment, item, nowMs))
    return {
      tracking_id: id,
      status: minOf(items),
      trackable_items: [{ consignment_id: id, number_of_items: items.length, items }],
    }
  }
  const item = itemAnswer(shipment, itemOf(shipment, id), nowMs)
  return { tracking_id: id, status: item.status, trackable_items: [item] }
}

/** StarTrack's events of a consignment itself, by the step of its parcels. */
const CONSIGNMENT_EVENTS: Readonly<Record<string, string>> = {
  Initiated: 'Ready for Pickup',
  'In transit': 'Scanned in Transit',
  'On Board for Delivery': 'On Board for Delivery',
  'To be Re-Delivered': 'Redeliver',
  Delivered: 'Delivered',
}

/** StarTrack reports the consignment beside its articles, with its own events and its own final words. */
function starTrackResult(shipment: Shipment, id: string, ofConsignment: readonly Item[], nowMs: number) {
  const items = ofConsignment.length > 0 ? ofConsignment : [itemOf(shipment, id)]
  const answers = items.map((item) => ({
    ...itemAnswer(shipment, item, nowMs),
    product_type: item.product.productId,
  }))
  return {
    tracking_id: id,
    consignment: { events: consignmentEvents(shipment, nowMs), status: consignmentStatus(answers) },
    trackable_items: answers.map(({ events, ...answer }) => ({
      ...answer,
      events: events.map((event) => ({
        ...event,
        description: event.description === 'Delivered' ? 'Item Delivered' : event.description,
      })),
      status: answer.status === 'Delivered' ? 'Item Delivered' : titled(answer.status),
    })),
  }
}

/** Scans that were added by hand to an article do not belong to the consignment. */
function consignmentEvents(shipment: Shipment, nowMs: number) {
  return updatesOf(shipment, { scans: [] }, nowMs)
    .events.filter(({ status }) => status !== 'Created')
    .map((event) =>
      eventAnswer({ ...event, description: CONSIGNMENT_EVENTS[event.status ?? ''] ?? event.description }),
    )
}

function consignmentStatus(answers: readonly { status: string }[]): string {
  const status = minOf(answers)
  if (status === 'Delivered') return 'Delivered in Full'
  if (answers.some((answer) => answer.status === 'Delivered')) return 'Partial Delivery'
  return status === 'Initiated' ? 'Ready for Pickup' : titled(status)
}

function itemOf({ items }: Shipment, id: string): Item {
  return items.find(({ tracking }) => [tracking.articleId, tracking.barcodeId].includes(id)) ?? items[0]!
}

function itemAnswer(shipment: Shipment, item: Item, nowMs: number) {
  const { events, status } = updatesOf(shipment, item, nowMs)
  return {
    article_id: item.tracking.articleId,
    product_type: 'eParcel',
    events: events.map(eventAnswer),
    status,
  }
}

function eventAnswer({ location, description, atMs }: Scan) {
  return { ...(location === null ? {} : { location }), description, date: instantWords(atMs) }
}

/** A consignment is delivered when all of its items are. */
function minOf(items: readonly { status: string }[]): string {
  return (items.find(({ status }) => status !== 'Delivered') ?? items[0]!).status
}

/** StarTrack writes `In transit` as `In Transit`. */
function titled(status: string): string {
  return status.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
