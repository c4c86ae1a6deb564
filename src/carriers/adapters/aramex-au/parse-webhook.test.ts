import assert from 'node:assert/strict'
import test from 'node:test'
import type { CarrierResponse } from '../../port/send.ts'
import { parseWebhook } from './parse-webhook.ts'

const NOW_MS = Date.parse('2026-11-25T00:00:00Z')
const ref = '171295222/MS0020719756'

/** In the shape that one of their integrators stores. */
const scan = {
  courierNo: 12,
  description: 'Signature obtained',
  franchiseCode: 'SYD',
  franchiseName: 'Sydney',
  labelNo: 'MS0020719756',
  scanType: 'D',
  scanTypeDescription: 'Delivery',
  scannedDateTime: '2026-11-24T15:02:31',
  status: 'SIG',
}

function scans(...data: unknown[]): CarrierResponse {
  return { kind: 'answered', status: 200, body: { data } }
}

function updatesOf(...responses: CarrierResponse[]) {
  const labels = responses.map((response, index) => ({ ref, label: `MS${index}`, response }))
  return parseWebhook(labels, NOW_MS)
}

function eventsOf(...responses: CarrierResponse[]) {
  const updates = updatesOf(...responses)
  return updates.kind === 'yes' ? updates.value.events : assert.fail(JSON.stringify(updates))
}

test('a scan is an event; a time without an offset is Sydney time', () => {
  assert.deepEqual(eventsOf(scans(scan)), [
    {
      consignmentNumber: ref,
      eventId: `MS0 ${Date.parse('2026-11-24T15:02:31+11:00')} D SIG Signature obtained`,
      atMs: Date.parse('2026-11-24T04:02:31Z'),
      status: 'delivered',
      subStatus: null,
      message: 'Signature obtained, Sydney',
    },
  ])
  const [exact] = eventsOf(scans({ ...scan, scannedDateTime: '2026-11-24T15:02:31+08:00' }))
  assert.equal(exact?.atMs, Date.parse('2026-11-24T07:02:31Z'))
  const [ahead] = eventsOf(scans({ ...scan, scannedDateTime: '2026-11-25T12:00:00' }))
  assert.equal(ahead?.atMs, NOW_MS)
})

test('known scan types change the status, and a scan at the door is not always a delivery', () => {
  const cases: [object, string | null, string | null][] = [
    [{ scanType: 'P', description: 'Picked up' }, 'collected', null],
    [{ scanType: 'T', description: 'At depot' }, 'collected', 'in_transit'],
    [{ scanType: 'D', description: 'Left as authorised' }, 'delivered', null],
    [{ scanType: 'D', description: 'Attempted, card left' }, 'collected', 'attempted'],
    [{ scanType: 'D', description: 'Delivered, signature not required' }, 'delivered', null],
    [{ scanType: 'D', description: 'Premises closed' }, 'collected', 'attempted'],
    [{ scanType: 'D', description: 'Returned to sender' }, 'collected', 'attempted'],
    [{ scanType: 'X', description: 'Weighed' }, null, null],
    [{ scanType: 'constructor' }, null, null],
  ]
  for (const [changes, status, subStatus] of cases) {
    const [event] = eventsOf(scans({ ...scan, ...changes }))
    assert.deepEqual([event?.status, event?.subStatus], [status, subStatus], JSON.stringify(changes))
  }
})

test('a booking with several labels is delivered with the last one', () => {
  const retryLater = { ...scan, scannedDateTime: '2026-11-24T17:00:00' }
  assert.deepEqual(
    eventsOf(scans(scan), scans()).map(({ status }) => status),
    ['collected'],
  )
  assert.deepEqual(
    eventsOf(scans(scan), scans(retryLater)).map(({ status }) => status),
    ['collected', 'delivered'],
  )
})

test('a malformed scan or a missing label loses no other events', () => {
  const lost: CarrierResponse = { kind: 'no_answer', message: 'reset' }
  const updates = updatesOf(scans(scan, 'odd', { ...scan, scannedDateTime: '24/11/2026' }), lost)
  assert.ok(updates.kind === 'yes')
  assert.deepEqual([updates.value.events.length, updates.value.unreadable], [1, 2])
  assert.equal(updatesOf(lost, lost).kind, 'unknown')
  assert.deepEqual(updatesOf(scans()), { kind: 'yes', value: { events: [], unreadable: 0 } })
})
