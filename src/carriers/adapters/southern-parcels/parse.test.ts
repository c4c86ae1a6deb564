import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { formatShipment } from './format.ts'
import { parseBooking, parseDelete, parseFound } from './parse.ts'
import { parseTracking } from './parse-tracking.ts'

const shipment = {
  shipmentId: 'SP1',
  items: [
    { lineNumber: 1, itemReference: 'P', articleId: 'SP1001' },
    { lineNumber: 2, itemReference: 'P', articleId: 'SP1003' },
    { lineNumber: 1, itemReference: 'P', articleId: 'SP1002' },
  ],
  summary: { totalCost: 11.35, currency: 'AUD' },
}
const scan = { eventId: 'e1', code: 'COL-1', description: 'Picked up', date: '2026-11-24T00:00:00Z' }

function answered(status: number, body: unknown): CarrierResponse {
  return { kind: 'answered', status, body }
}

function errors(code: string) {
  return { errors: [{ code, message: 'Sorry.' }] }
}

test('every unit is a separate item with its parcel row', () => {
  const { items } = formatShipment(consignment).shipments[0]!
  assert.deepEqual(
    items.map(({ lineNumber, itemReference }) => [lineNumber, itemReference]),
    [
      [1, 'P1'],
      [1, 'P1'],
      [2, 'P2'],
    ],
  )
})

test('items map back to parcel rows, even if two rows share a reference', () => {
  assert.deepEqual(parseBooking(answered(201, { shipments: [shipment] })), {
    kind: 'yes',
    value: {
      consignmentNumber: 'SP1',
      articles: [
        { parcelReference: 'P', articleIds: ['SP1001', 'SP1002'] },
        { parcelReference: 'P', articleIds: ['SP1003'] },
      ],
      costCents: 1135,
    },
  })
})

test('a refusal says who may retry: later, another carrier or nobody', () => {
  const cases: [number, string, string][] = [
    [400, '51101', 'another_carrier'],
    [400, '40001', 'nobody'],
    [503, '59001', 'later'],
  ]
  for (const [status, code, retry] of cases) {
    assert.deepEqual(parseBooking(answered(status, errors(code))), {
      kind: 'no',
      retry,
      message: `${code}: Sorry.`,
    })
  }
  assert.equal(parseBooking(answered(503, errors('59002'))).kind, 'unknown')
})

test('a look-up returns a booking, no booking or unknown, and never no booking when unsure', () => {
  const one = parseFound(answered(200, { shipments: [shipment] }))
  assert.equal(one.kind === 'yes' && one.value?.consignmentNumber, 'SP1')
  assert.deepEqual(parseFound(answered(200, { shipments: [] })), { kind: 'yes', value: null })

  const unreported = [
    answered(200, { shipments: [{ ...shipment, shipmentId: 7 }] }),
    answered(200, {}),
    answered(200, null),
    answered(404, errors('44004')),
    answered(500, { shipments: [] }),
  ]
  for (const response of unreported)
    assert.notEqual(parseFound(response).kind, 'yes', JSON.stringify(response))
})

test('cancelling a deleted shipment succeeds', () => {
  assert.equal(parseDelete(answered(204, null)).kind, 'yes')
  assert.equal(parseDelete(answered(410, errors('44010'))).kind, 'yes')
  assert.equal(parseDelete(answered(404, errors('44004'))).kind, 'no')
  assert.equal(parseDelete(answered(410, '<html>a proxy</html>')).kind, 'unknown')
})

test('tracking is parsed by shipment and scan', () => {
  const results = [
    { trackingId: 'SP1', events: [scan, { ...scan, date: 'soon' }, { ...scan, eventId: 'e2', code: 'XYZ' }] },
    { trackingId: 'SP2', errors: [{ code: '45004', message: 'Unknown tracking id.' }] },
    'odd',
  ]
  const outcome = parseTracking(answered(200, { trackingResults: results }))
  assert.ok(outcome.kind === 'yes')
  assert.equal(outcome.value.unreadable, 2)
  assert.deepEqual(
    outcome.value.events.map(({ eventId, status, message }) => [eventId, status, message]),
    [
      ['e1', 'collected', 'COL-1: Picked up'],
      ['e2', null, 'XYZ: Picked up'],
    ],
  )
})
