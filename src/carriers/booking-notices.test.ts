import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consignment } from '../../test/sandbox-carriers.ts'
import { parseWebhook as doordash } from './adapters/doordash/parse-webhook.ts'
import { parseWebhook as swiftly } from './adapters/swiftly/parse.ts'
import { parseWebhook as uberDirect } from './adapters/uber-direct/parse-webhook.ts'
import type { CarrierUpdates } from './port/carrier.ts'

const AT = '2026-11-24T00:00:00Z'
const { key } = consignment

const uber = {
  ...{ id: 'evt_1', kind: 'event.delivery_status', created: AT, delivery_id: 'del_X1', status: 'pickup' },
  data: { id: 'del_X1', status: 'pickup', fee: 1_099, currency: 'aud', external_id: key },
}
const dash = {
  ...{ event_name: 'DASHER_CONFIRMED', updated_at: AT, external_delivery_id: key },
  ...{ fee: 999, tax: 100, currency: 'AUD', support_reference: 7 },
}
const job = { id: 'SWF1', fee: { amount: '10.99', currency: 'AUD' }, items: [{ ref: 'P1', labels: ['L1'] }] }
const swift = { id: 'e1', job_id: 'SWF1', state: 'picked_up', occurred_at: AT, idempotency_key: key, job }

type Read = (body: Buffer) => CarrierUpdates
const CARRIERS: [name: string, read: Read, whole: unknown, parts: unknown[], number: string][] = [
  [
    'Uber Direct',
    uberDirect,
    uber,
    [
      { ...uber, data: { ...uber.data, external_id: undefined } },
      { ...uber, data: { ...uber.data, fee: undefined } },
      // The return leg is another delivery.
      { ...uber, delivery_id: 'ret_X1', data: { ...uber.data, id: 'ret_X1' } },
    ],
    'del_X1',
  ],
  [
    'DoorDash',
    (body) => doordash(body, Date.parse(AT)),
    dash,
    [
      { ...dash, fee: undefined },
      { ...dash, support_reference: undefined },
    ],
    '7',
  ],
  [
    'Swiftly',
    swiftly,
    { events: [swift] },
    [{ events: [{ ...swift, job: undefined }] }, { events: [{ ...swift, idempotency_key: null }] }],
    'SWF1',
  ],
]

test('an update with the complete booking yields both the booking, by our key, and its event', () => {
  for (const [name, read, whole, parts, number] of CARRIERS) {
    const { bookings = [], events } = read(Buffer.from(JSON.stringify(whole)))
    assert.deepEqual(
      bookings.map((notice) => [
        notice.key,
        notice.toBooking(consignment).consignmentNumber,
        notice.toBooking(consignment).costCents,
      ]),
      [[key, number, 1_099]],
      name,
    )
    assert.equal(bookings[0]?.consignmentNumber, events[0]?.consignmentNumber, name)
    for (const part of parts) {
      const updates = read(Buffer.from(JSON.stringify(part)))
      assert.deepEqual([updates.bookings, updates.events.length], [[], 1], `${name}: ${JSON.stringify(part)}`)
    }
  }
})
