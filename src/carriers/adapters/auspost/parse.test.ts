import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { CarrierResponse } from '../../port/send.ts'
import { parseTracking } from './parse.ts'
import { reader } from './refusals.ts'

const answered = (status: number, body: unknown): CarrierResponse => ({ kind: 'answered', status, body })

/** Each error format, its message, and the outcome we derive from it. */
const REFUSALS: readonly [name: string, status: number, body: unknown, outcome: string][] = [
  [
    'the API’s own',
    400,
    {
      errors: [{ code: '42010', name: 'MAX_WEIGHT', message: 'Too heavy.', field: 'shipments[0].items[0]' }],
    },
    'no another_carrier: 42010: Too heavy.',
  ],
  [
    'the gateway’s',
    401,
    { errors: [{ message: 'No such key', error_code: 'API_001', error_name: 'Unauthorised' }] },
    'no later: API_001: No such key',
  ],
  [
    'one in the shape of somebody else',
    422,
    {
      errors: [{ messages: ['one.', 'two.'], error: 'unprocessable_entity', error_description: 'Invalid.' }],
    },
    'unknown: status 422: {"errors":[{"messages":["one.","two."],"error":"unprocessable_entity","error_description":"Invalid."}]}',
  ],
  ['one without a list', 403, { code: '44038', message: 'Not yours.' }, 'no nobody: 44038: Not yours.'],
  [
    'several: what nobody can cure decides',
    400,
    {
      errors: [
        { code: '42010', name: 'MAX_WEIGHT' },
        { code: '40002', message: 'A field is missing.' },
      ],
    },
    'no nobody: 42010: MAX_WEIGHT 40002: A field is missing.',
  ],
  [
    'a code that we do not know',
    400,
    { errors: [{ code: '99999', message: 'New.' }] },
    'no nobody: 99999: New.',
  ],
  [
    'a word like constructor',
    400,
    { errors: [{ code: 'constructor', message: 'x' }] },
    'no nobody: constructor: x',
  ],
  ['nobody we know', 404, '<html>', 'unknown: status 404: <html>'],
  ['an empty list', 400, { errors: [] }, 'unknown: status 400: {"errors":[]}'],
]

test('parses every error format', () => {
  for (const [name, status, body, expected] of REFUSALS) {
    const outcome = reader.read(answered(status, body), z.unknown(), () => null)
    const retry = outcome.kind === 'no' ? ` ${outcome.retry}` : ''
    assert.equal(`${outcome.kind}${retry}: ${outcome.kind === 'yes' ? '' : outcome.message}`, expected, name)
  }
  assert.deepEqual(
    reader.refusedBy(answered(400, { errors: [{ code: '44016', name: 'SHIPMENT_INITIATED' }] })),
    [{ code: '44016', name: 'SHIPMENT_INITIATED', field: null, message: 'SHIPMENT_INITIATED' }],
  )
})

const scan = (description: string, hour: number, location?: string) => ({
  description,
  date: `2026-11-25T${String(hour).padStart(2, '0')}:00:00+11:00`,
  ...(location ? { location } : {}),
})

test('an event’s status comes from its text, the newest one’s also from the parcel’s status', () => {
  const events = eventsOf({
    tracking_id: 'C1',
    trackable_items: [
      {
        article_id: 'C101',
        status: 'On Board for Delivery',
        events: [
          scan('Something new that they say', 9),
          scan('Item processed at facility', 5, 'MELBOURNE VIC'),
          scan('Something odd', 4),
          scan('Shipping information received by Australia Post', 1),
        ],
      },
    ],
  })
  assert.deepEqual(
    events.map(({ status, subStatus, message }) => [status, subStatus, message]),
    [
      ['collected', 'out_for_delivery', 'Something new that they say'],
      ['collected', 'in_transit', 'Item processed at facility, MELBOURNE VIC'],
      [null, null, 'Something odd'],
      [null, null, 'Shipping information received by Australia Post'],
    ],
  )
})

test('a booking of several parcels is delivered once, with the last parcel', () => {
  const parcel = (article_id: string, ...events: ReturnType<typeof scan>[]) => ({
    article_id,
    status: '',
    events,
  })
  const eventsWith = (second: ReturnType<typeof scan>[]) =>
    eventsOf({
      tracking_id: 'C1',
      trackable_items: [
        {
          consignment_id: 'C1',
          number_of_items: 2,
          items: [parcel('C101', scan('Delivered', 10)), parcel('C102', ...second)],
        },
      ],
    })
  const early = eventsWith([scan('On board for delivery', 9)])
  assert.deepEqual(
    early.map(({ status, subStatus }) => [status, subStatus]),
    [
      ['collected', 'partly_delivered'],
      ['collected', 'out_for_delivery'],
    ],
  )
  const late = eventsWith([scan('Delivered', 12)])
  assert.deepEqual(
    late.map(({ status }) => status),
    ['collected', 'delivered'],
  )
  assert.equal(late[0]?.eventId, early[0]?.eventId, 'the same event')
  assert.match(late[1]?.eventId ?? '', / all$/)
})

/** The text of a parcel's only event, or its status, and the status we derive from it. */
const STATUS_OF_TEXT: readonly [text: string, status: string | null, subStatus: string | null][] = [
  ['Unsuccessful pickup', null, 'delayed'],
  ['Unsuccessful pickup - premises closed', null, 'delayed'],
  ['Pickup Cancelled', null, 'delayed'],
  ['Ready for Pickup', null, null],
  ['Awaiting pickup by carrier', null, null],
  ['Confirmed', null, null],
  ['Partial Pickup', 'collected', 'in_transit'],
  ['Picked Up', 'collected', 'in_transit'],
  ['To be picked up', null, null],
  ['In Transit', 'collected', 'in_transit'],
  ['Arrived at SHELDON', 'collected', 'in_transit'],
  ['At Delivery Depot', 'collected', 'in_transit'],
  ['Booked In', 'collected', 'held'],
  ['Held by courier', 'collected', 'held'],
  ['Awaiting collection', 'collected', 'held'],
  ['Available for collection at FITZROY LPO', 'collected', 'held'],
  ['On Board for Delivery', 'collected', 'out_for_delivery'],
  ['With Australia Post for delivery today', 'collected', 'out_for_delivery'],
  ['Unsuccessful Delivery', 'collected', 'attempted'],
  ['To be Re-Delivered', 'collected', 'attempted'],
  ['Partial Delivery', 'collected', 'partly_delivered'],
  ['Final Shortage', 'collected', 'undeliverable'],
  ['Re-Consigned', null, 'held'],
  ['Item Delivered', 'delivered', null],
  ['Delivered in Full', 'delivered', null],
  ['Parcel will be delivered to the door', null, null],
  ['Being returned to sender', 'pending_return', null],
  ['Returned to sender', 'returned', null],
  ['Deleted', 'cancelled', null],
  ['Cancelled', 'cancelled', null],
]

test('no text is misread as a collection or a delivery', () => {
  const parcel = { article_id: 'C101' }
  for (const [text, status, subStatus] of STATUS_OF_TEXT) {
    const message = { ...parcel, events: [scan(text, 5)] }
    const [event] = eventsOf({ tracking_id: 'C1', trackable_items: [message] })
    assert.deepEqual([event?.status, event?.subStatus], [status, subStatus], text)
    const withStatus = { ...parcel, status: text, events: [scan('Something else', 5)] }
    const [known] = eventsOf({ tracking_id: 'C1', trackable_items: [withStatus] })
    if (known?.status === null && known.subStatus === null) continue
    assert.equal(known?.status, status, `status ${text}`)
  }
})

test('a shipment without events is not delivered with the others', () => {
  const delivered = (tracking_id: string) => ({
    tracking_id,
    trackable_items: [{ article_id: `${tracking_id}01`, events: [scan('Delivered', 10)] }],
  })
  const unknown = { tracking_id: 'C2', errors: [{ code: 'ESB-10001', name: 'Invalid tracking ID' }] }
  const cases: [unknown[], string[]][] = [
    [[delivered('C1')], ['collected']],
    [[delivered('C1'), unknown], ['collected']],
    [[delivered('C1'), { tracking_id: 'C2', trackable_items: [] }], ['collected']],
    [
      [delivered('C1'), delivered('C2')],
      ['collected', 'delivered'],
    ],
  ]
  for (const [tracking_results, statuses] of cases) {
    const outcome = parseTracking(answered(200, { tracking_results }), ['S1/C1+S2/C2'])
    const events = outcome.kind === 'yes' ? outcome.value.events : []
    assert.deepEqual(
      events.map(({ status }) => status),
      statuses,
      JSON.stringify(tracking_results),
    )
  }
})

test('a consignment has events beside its parcels, and its full delivery is that of all parcels', () => {
  const items = (first: string, second?: string) => [
    { article_id: 'C101', events: [scan(first, 8)] },
    { article_id: 'C102', events: second ? [scan(second, 9)] : [] },
  ]
  const consignmentOf = (status: string, ...text: string[]) => ({
    status,
    events: text.map((description, index) => scan(description, 12 - index)),
  })
  const delivered = 'delivered'
  const cases: [string, object, object[], string[]][] = [
    [
      'told by both',
      consignmentOf('In Transit', 'Scanned in Transit'),
      items('In Transit'),
      ['collected', 'collected'],
    ],
    [
      'delivered, but of which?',
      consignmentOf('Delivered', 'Delivered'),
      items('In Transit'),
      ['collected', 'collected'],
    ],
    ['some', consignmentOf('Partial Delivery', 'Item Delivered'), [], ['collected']],
    [
      'all, by its status',
      consignmentOf('Delivered in Full', 'Item Delivered'),
      items('In Transit'),
      [delivered, 'collected'],
    ],
    [
      'all, by its words',
      consignmentOf('', 'Delivered in Full'),
      items('Item Delivered'),
      [delivered, 'collected'],
    ],
    ['all, alone', consignmentOf('Delivered in Full', 'Item Delivered'), [], [delivered]],
    [
      'each by itself',
      consignmentOf('', 'Scanned in Transit'),
      items('Item Delivered', 'Item Delivered'),
      ['collected', 'collected', delivered],
    ],
    ['back', consignmentOf('', 'Returned to Sender'), items('In Transit'), ['returned', 'collected']],
  ]
  for (const [name, consignment, trackable_items, statuses] of cases) {
    const events = eventsOf({ tracking_id: 'C1', consignment, trackable_items })
    assert.deepEqual(
      events.map(({ status }) => status),
      statuses,
      name,
    )
  }
})

test('a final status for an event that was reported before is a new event', () => {
  const [before, after] = ['In Transit', 'Delivered in Full'].map(
    (status) => eventsOf({ tracking_id: 'C1', consignment: { status, events: [scan('POD Image', 10)] } })[0],
  )
  assert.deepEqual([before?.status, after?.status], ['collected', 'delivered'])
  assert.notEqual(before?.eventId, after?.eventId)
})

test('a StarTrack consignment’s events count without parcels, as an object or a list of one', () => {
  const consignment = { status: 'Delivered in Full', events: [scan('Freight handed over', 10)] }
  for (const shape of [consignment, [consignment]]) {
    const [event] = eventsOf({ tracking_id: 'C1', consignment: shape })
    assert.equal(event?.status, 'delivered')
  }
})

test('an unknown id has no events, and one malformed event loses no others', () => {
  const outcome = parseTracking(
    answered(200, {
      tracking_results: [
        { tracking_id: 'C1', errors: [{ code: 'ESB-10001', name: 'Invalid tracking ID' }] },
        { odd: true },
        { tracking_id: 'C2', trackable_items: [{ events: [{ date: 'never' }, scan('Delivered', 3)] }] },
      ],
    }),
    ['C1', 'C2', 'C3'],
  )
  assert.equal(outcome.kind === 'yes' && outcome.value.unreadable, 2)
  const events = outcome.kind === 'yes' ? outcome.value.events : []
  assert.deepEqual(
    events.map(({ consignmentNumber, status }) => [consignmentNumber, status]),
    [['C2', 'delivered']],
  )
})

function eventsOf(result: unknown) {
  const outcome = parseTracking(answered(200, { tracking_results: [result] }), ['C1'])
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value.events
}
