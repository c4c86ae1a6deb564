import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { CarrierResponse } from '../send.ts'
import { parseTracking } from './parse-tracking.ts'
import { WORDS } from './refusals.ts'

const answered = (status: number, body: unknown): CarrierResponse => ({ kind: 'answered', status, body })

/** Each shape of an error, what it says and whom it leaves hope for. */
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
    'the platform’s',
    422,
    {
      errors: [{ messages: ['one.', 'two.'], error: 'unprocessable_entity', error_description: 'Invalid.' }],
    },
    'no nobody: unprocessable_entity: one. two.',
  ],
  [
    'one without a list',
    403,
    { error: 'forbidden', error_description: 'Not yours.' },
    'no nobody: forbidden: Not yours.',
  ],
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

test('every shape of an error is read', () => {
  for (const [name, status, body, expected] of REFUSALS) {
    const outcome = WORDS.read(answered(status, body), z.unknown(), () => null)
    const cure = outcome.kind === 'no' ? ` ${outcome.cure}` : ''
    assert.equal(`${outcome.kind}${cure}: ${outcome.kind === 'yes' ? '' : outcome.said}`, expected, name)
  }
  assert.deepEqual(
    WORDS.refusedBy(answered(400, { errors: [{ code: '44016', name: 'SHIPMENT_INITIATED' }] })),
    [{ code: '44016', field: null, said: 'SHIPMENT_INITIATED' }],
  )
})

const scan = (description: string, hour: number, location?: string) => ({
  description,
  date: `2026-11-25T${String(hour).padStart(2, '0')}:00:00+11:00`,
  ...(location ? { location } : {}),
})

test('an event is told by its words, the newest by the parcel’s status too', () => {
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
    events.map(({ status, subStatus, said }) => [status, subStatus, said]),
    [
      ['collected', 'out_for_delivery', 'Something new that they say'],
      ['collected', 'in_transit', 'Item processed at facility, MELBOURNE VIC'],
      [null, null, 'Something odd'],
      [null, null, 'Shipping information received by Australia Post'],
    ],
  )
})

test('a booking of several parcels is delivered when the last one is, and is told so once', () => {
  const parcel = (article_id: string, ...events: ReturnType<typeof scan>[]) => ({
    article_id,
    status: '',
    events,
  })
  const told = (second: ReturnType<typeof scan>[]) =>
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
  const early = told([scan('On board for delivery', 9)])
  assert.deepEqual(
    early.map(({ status, subStatus }) => [status, subStatus]),
    [
      ['collected', 'partly_delivered'],
      ['collected', 'out_for_delivery'],
    ],
  )
  const late = told([scan('Delivered', 12)])
  assert.deepEqual(
    late.map(({ status }) => status),
    ['collected', 'delivered'],
  )
  assert.equal(late[0]?.eventId, early[0]?.eventId, 'the same news')
  assert.match(late[1]?.eventId ?? '', / all$/)
})

test('StarTrack’s consignment speaks where its parcels do not, be it one or a list of one', () => {
  const consignment = { status: 'Delivered in Full', events: [scan('Freight handed over', 10)] }
  for (const shape of [consignment, [consignment]]) {
    const [event] = eventsOf({ tracking_id: 'C1', consignment: shape })
    assert.equal(event?.status, 'delivered')
  }
})

test('an unknown id has no news, and one odd event loses none of the others', () => {
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
  const told = outcome.kind === 'yes' ? outcome.value.events : []
  assert.deepEqual(
    told.map(({ consignmentNumber, status }) => [consignmentNumber, status]),
    [['C2', 'delivered']],
  )
})

function eventsOf(result: unknown) {
  const outcome = parseTracking(answered(200, { tracking_results: [result] }), ['C1'])
  if (outcome.kind !== 'yes') assert.fail(JSON.stringify(outcome))
  return outcome.value.events
}
