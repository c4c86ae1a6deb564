import assert from 'node:assert/strict'
import test from 'node:test'
import type { CarrierResponse } from '../../port/send.ts'
import { parseBooking, parseCancel, parseWebhook } from './parse.ts'

const job = {
  id: 'SWF1',
  state: 'queued',
  fee: { amount: '8.90', currency: 'AUD' },
  items: [{ ref: 'P1', labels: ['SWF1001', 'SWF1002'] }],
}
const event = { id: 'e1', job_id: 'SWF1', state: 'picked_up', occurred_at: '2026-11-24T11:00:00+11:00' }

function answered(status: number, body: unknown): CarrierResponse {
  return { kind: 'answered', status, body }
}

function updates(...events: unknown[]) {
  return parseWebhook(Buffer.from(JSON.stringify({ events })))
}

test('a job is a booking, new or replayed', () => {
  const value = {
    consignmentNumber: 'SWF1',
    articles: [{ parcelReference: 'P1', articleIds: ['SWF1001', 'SWF1002'] }],
    costCents: 890,
  }
  for (const status of [200, 201]) {
    assert.deepEqual(parseBooking(answered(status, { job })), { kind: 'yes', value })
  }
})

test('an incomplete job leaves the outcome unknown', () => {
  const cases: [string, unknown][] = [
    ['no id', { ...job, id: undefined }],
    ['an id that no label takes', { ...job, id: 'SWF\u0000' }],
    ['no items', { ...job, items: null }],
    ['another currency', { ...job, fee: { amount: '8.90', currency: 'NZD' } }],
    ['a fee in words', { ...job, fee: { amount: 'free', currency: 'AUD' } }],
    ['a negative fee', { ...job, fee: { amount: -1, currency: 'AUD' } }],
  ]
  for (const [name, odd] of cases)
    assert.equal(parseBooking(answered(201, { job: odd })).kind, 'unknown', name)
})

test('a refusal says who may retry: later, another carrier or nobody', () => {
  const cases: [string, string][] = [
    ['no_driver', 'another_carrier'],
    ['area_not_served', 'another_carrier'],
    ['closed', 'later'],
    ['invalid_request', 'nobody'],
  ]
  for (const [code, retry] of cases) {
    assert.deepEqual(parseBooking(answered(422, { error: { code, message: 'Sorry.' } })), {
      kind: 'no',
      retry,
      message: `${code}: Sorry.`,
    })
  }
})

test('a key used by another job leaves the outcome unknown', () => {
  const response = answered(422, { error: { code: 'idempotency_mismatch', message: '' } })
  assert.equal(parseBooking(response).kind, 'unknown')
})

test('a cancel response without the cancelled state is an unknown outcome', () => {
  assert.equal(parseCancel(answered(200, { job: { id: 'SWF1', state: 'queued' } })).kind, 'unknown')
})

test('an event has the job’s state and its time', () => {
  assert.deepEqual(updates(event), {
    unreadable: 0,
    bookings: [],
    events: [
      {
        consignmentNumber: 'SWF1',
        eventId: 'e1',
        atMs: Date.parse('2026-11-24T00:00:00Z'),
        status: 'collected',
        subStatus: null,
        message: 'picked_up',
      },
    ],
  })
})

test('an unknown state changes no status and keeps its text', () => {
  for (const state of ['beamed_up', 'constructor', '__proto__']) {
    const [parsed] = updates({ ...event, state, note: 'by\u0000 Scotty' }).events
    assert.deepEqual([parsed?.status, parsed?.subStatus], [null, null])
    assert.equal(parsed?.message, `${state}: by  Scotty`)
  }
})

test('one malformed event does not lose the others', () => {
  const odd = [
    null,
    'x',
    {},
    { ...event, occurred_at: 'soon' },
    { ...event, occurred_at: '0001-01-01T00:00:00Z' },
  ]
  const parsed = updates(...odd, event)
  assert.deepEqual([parsed.events.length, parsed.unreadable], [1, odd.length])
})

test('a body without a list of events is one unreadable event', () => {
  for (const body of ['', 'x', '{}', '[]', 'null', '{"events":{}}']) {
    assert.deepEqual(parseWebhook(Buffer.from(body)), { events: [], unreadable: 1 }, body)
  }
})
