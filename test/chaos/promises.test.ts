import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedRequest } from '../harness/client.ts'
import type { LedgerEntry, Order } from '../harness/ledger.ts'
import { findBreaches } from '../harness/promises.ts'
import { assertEachIsCaught, createdBy, type Violation } from '../harness/violations.ts'
import type { AccountName } from './account.ts'
import type { Evidence } from './evidence.ts'
import { instructionsOf, type Job } from './jobs.ts'
import type { Hook } from './parties.ts'
import { PROMISES, type PromiseName } from './promises.ts'

const ID = 'dlv_01'
const job: Job = {
  reference: 'C1-auspost',
  account: 'chaos',
  fields: {},
  atMs: 0,
  bookNow: false,
  twice: false,
  invalid: false,
  amendAfterMs: null,
  cancelAfterMs: null,
  secretNumber: 7,
}
const created = createdBy<AccountName>('chaos', job.reference, ID)
const delivery: Evidence['deliveries'][number] = {
  account: 'chaos',
  id: ID,
  reference: job.reference,
  status: 'booked',
  special_instructions: instructionsOf(job, false),
  provider: 'auspost',
  consignment_number: '2JD1',
  requested_at: '2026-11-24T01:00:00.000Z',
  booked_at: '2026-11-24T01:00:01.000Z',
  manifest_status: 'manifested',
}
const feed: Evidence['feed'] = [
  { id: 'evt_1', type: 'delivery.created', sequence: 1, deliveryId: ID, status: 'created', previous: null },
  {
    id: 'evt_2',
    type: 'delivery.requested',
    sequence: 2,
    deliveryId: ID,
    status: 'requested',
    previous: 'created',
  },
  {
    id: 'evt_3',
    type: 'delivery.booked',
    sequence: 3,
    deliveryId: ID,
    status: 'booked',
    previous: 'requested',
  },
]
const hooks: Hook[] = feed.map(({ id, sequence }) => ({
  id,
  sequence,
  deliveryId: ID,
  genuine: true,
  accepted: true,
}))
const booking: LedgerEntry = {
  what: 'booked',
  provider: 'auspost',
  key: `${ID}-1`,
  unit: `${ID}-1`,
  id: 'shp1',
  numbers: ['2JD101'],
}
const second: LedgerEntry = { ...booking, id: 'shp2', numbers: ['2JD102'], key: `${ID}-2`, unit: `${ID}-2` }
const order: Order = {
  provider: 'auspost',
  id: 'AP1',
  reference: 'man_1',
  bookings: [{ key: booking.key, id: booking.id, numbers: booking.numbers }],
}
const message = { id: 'msg_1', kind: 'sms', template: 'booked', status: 'sent', deliveryId: ID }

/** A run of one delivery without a fault. */
const good: Evidence = {
  jobs: [job],
  history: [created],
  wrong: [],
  endedByThemselves: [],
  deliveries: [delivery],
  manifests: [
    {
      id: 'man_1',
      status: 'submitted',
      counts: { items: 1 },
      external_ref: { order_id: 'AP1' },
      manifest_deliveries: [{ delivery_id: ID, tracking_details: { article_ids: ['2JD101'] } }],
    },
  ],
  feed,
  messages: [message],
  audit: [{ account: 'chaos', action: 'createDelivery', object: ID }],
  ledgerEntries: [booking],
  orders: [order],
  unlisted: [],
  hooks: [hooks],
  texts: [{ id: 'msg_1', to: '+61491570156', text: 'It is booked.' }],
  labels: [{ reference: job.reference, whole: true }],
}

const amended: RecordedRequest<AccountName> = { ...created, operation: 'amend', key: 'amend-1', status: 200 }
const cancelled: RecordedRequest<AccountName> = {
  ...created,
  ...{ operation: 'cancel', key: 'cancel-1', outcome: 'rejected', status: 409 },
}
const [first, next, third] = hooks as [Hook, Hook, Hook]

const check = (evidence: Evidence) => findBreaches(PROMISES, evidence)

/** Each fault, and the promise that it breaks. */
const VIOLATIONS: readonly Violation<PromiseName, Evidence>[] = [
  ['an acknowledged delivery is gone', 'acknowledged and kept', { deliveries: [] }],
  ['an amendment is forgotten', 'acknowledged and kept', { history: [created, amended] }],
  [
    'a cancellation that was acknowledged and did nothing',
    'acknowledged and kept',
    { history: [created, { ...created, operation: 'cancel', key: 'cancel-1', status: 200 }] },
  ],
  [
    'a dead-lettered delivery',
    'every delivery ends',
    { deliveries: [{ ...delivery, status_reason: 'Taken out of the queue after 8 attempts.' }] },
  ],
  [
    'a cancellation that the interface does not reject like this',
    'answers as declared',
    { history: [created, { ...cancelled, status: 422 }] },
  ],
  ['two bookings', 'booked once', { ledgerEntries: [booking, second] }],
  [
    'two bookings at two carriers',
    'booked once',
    { ledgerEntries: [booking, { ...booking, provider: 'doordash', id: 'x', numbers: [] }] },
  ],
  [
    'two active bookings at the end, of which a list had left out one',
    'booked once',
    { ledgerEntries: [booking, second], unlisted: [booking.key] },
  ],
  ['a booked delivery without a booking', 'booked once', { ledgerEntries: [] }],
  [
    'a consignment number that differs from the carrier’s',
    'booked once',
    { deliveries: [{ ...delivery, consignment_number: '2JD9' }] },
  ],
  [
    'an active booking of a cancelled delivery',
    'booked once',
    { deliveries: [{ ...delivery, status: 'cancelled' }] },
  ],
  [
    'a booking without a delivery',
    'booked once',
    { ledgerEntries: [booking, { ...second, key: 'dlv_99-1' }] },
  ],
  ['a shipment in two orders', 'each manifest submitted once', { orders: [order, { ...order, id: 'AP2' }] }],
  ['an order without a manifest', 'each manifest submitted once', { manifests: [] }],
  ['a manifest that the carrier never received', 'each manifest submitted once', { orders: [] }],
  [
    'an invalid request that left a delivery',
    'refused and left nothing',
    { history: [created, { ...created, operation: 'invalid', outcome: 'rejected', key: 'x', status: 422 }] },
  ],
  [
    'an outcome that stayed unknown',
    'refused and left nothing',
    { history: [created, { ...amended, outcome: 'unknown', status: 503 }] },
  ],
  [
    'two responses under one key',
    'one key, one answer',
    { history: [created, { ...created, id: 'dlv_02' }] },
  ],
  [
    'a create rejected as a duplicate of itself',
    'one key, one answer',
    { history: [{ ...created, outcome: 'rejected', status: 409, code: 'duplicate_reference' }] },
  ],
  [
    'a step that the table lacks',
    'legal timelines',
    {
      feed: [
        { ...(feed[0] as (typeof feed)[number]) },
        { ...(feed[2] as (typeof feed)[number]), sequence: 2 },
      ],
    },
  ],
  [
    'booked before it was requested',
    'legal timelines',
    { deliveries: [{ ...delivery, booked_at: '2026-11-24T00:00:00.000Z' }] },
  ],
  ['a gap in the feed', 'events in order', { feed: feed.filter(({ sequence }) => sequence !== 2) }],
  [
    'an event that is missing in the feed',
    'events in order',
    { feed: feed.slice(0, 2), hooks: [hooks.slice(0, 2)] },
  ],
  ['an event that did not arrive', 'events in order', { hooks: [[first, next]] }],
  ['events in another order', 'events in order', { hooks: [[first, third, next]] }],
  ['a forged event', 'events in order', { hooks: [[first, next, { ...third, genuine: false }]] }],
  [
    'one template sent twice for a delivery',
    'texted once',
    { messages: [message, { ...message, id: 'msg_2', status: 'expired' }] },
  ],
  ['a text message that is not in our outbox', 'texted once', { messages: [] }],
  ['a message that was never sent', 'texted once', { texts: [] }],
  ['half a label', 'labels whole', { labels: [{ reference: job.reference, whole: false }] }],
  ['a response that no fault explains', 'answers as declared', { wrong: ['GET / answered 500'] }],
  ['a process that ended', 'answers as declared', { endedByThemselves: ['api-1 ended with 1'] }],
  ['a create without an audit row', 'written in the audit log', { audit: [] }],
  ['a create with two audit rows', 'written in the audit log', { audit: [...good.audit, ...good.audit] }],
  [
    'a delivery that waits for ever',
    'every delivery ends',
    { deliveries: [{ ...delivery, status: 'requested' }] },
  ],
]

test('a correct run breaks no promise', () => {
  assert.deepEqual(check(good), [])
})

test('each fault breaks its own promise, every promise has one, and a repeated request with the same response breaks none', () => {
  assertEachIsCaught(PROMISES, good, VIOLATIONS)
  const again = { ...created, tries: 4 }
  assert.deepEqual(check({ ...good, history: [again, again], hooks: [[first, first, next, third]] }), [])
})

test('a second booking is allowed once the first was cancelled at the carrier', () => {
  const moved = [booking, { ...booking, what: 'cancelled' as const }, { ...second, numbers: ['2JD103'] }]
  const bookings = [{ key: second.key, id: second.id, numbers: booking.numbers }]
  assert.deepEqual(check({ ...good, ledgerEntries: moved, orders: [{ ...order, bookings }] }), [])
})

test('a booking missing from its carrier’s list may overlap with the next one until it is cancelled', () => {
  const lost: LedgerEntry = { ...booking, id: 'shp0', key: `${ID}-0`, unit: `${ID}-0`, numbers: ['2JD001'] }
  const ledgerEntries = [lost, booking, { ...lost, what: 'cancelled' as const }]
  assert.deepEqual(check({ ...good, ledgerEntries, unlisted: [lost.key] }), [])
  assert.deepEqual(
    check({ ...good, ledgerEntries }).map(({ promise }) => promise),
    ['booked once'],
  )
})
