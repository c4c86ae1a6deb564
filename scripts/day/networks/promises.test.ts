import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FakeEntry } from '../../../test/fake-process.ts'
import type { FoundManifest } from '../../../test/harness/hand-over.ts'
import type { LedgerEntry, Order } from '../../../test/harness/ledger.ts'
import { judge } from '../../../test/harness/promises.ts'
import type { DayDelivery } from '../verify-day.ts'
import { planNetworkDay } from './jobs.ts'
import { KINDS } from './kinds.ts'
import { type Evidence, PROMISES } from './promises.ts'

const NOON_MS = Date.parse('2026-11-24T12:00:00+11:00')

const delivery = (id: string, provider: string, number: string, more: object = {}): DayDelivery => ({
  id: `dlv_${id}`,
  reference: `DAY-${id}`,
  store_reference: 'fitzroy',
  status: 'delivered',
  delivery_type: 'standard',
  provider,
  consignment_number: number,
  parcels: [{ article_ids: [`${number}001`] }],
  ...more,
})
const booked = (
  id: string,
  provider: string,
  number: string,
  more: Partial<LedgerEntry> = {},
): LedgerEntry => ({
  what: 'booked',
  provider,
  key: `dlv_${id}-1`,
  unit: `dlv_${id}-1`,
  id: `at-carrier-${number}`,
  numbers: [`${number}001`],
  ...more,
})
const posted: LedgerEntry = booked('1', 'auspost_vic', 'AP1')
const fast: LedgerEntry = booked('2', 'uber_direct', 'UD2', { numbers: [] })
const order: Order = {
  provider: 'auspost_vic',
  id: 'ORDER1',
  bookings: [{ key: posted.key, id: posted.id, numbers: posted.numbers }],
}
const manifest: FoundManifest = {
  id: 'man_1',
  status: 'submitted',
  counts: { items: 1 },
  external_ref: { order_id: 'ORDER1' },
  manifest_deliveries: [{ delivery_id: 'dlv_1', tracking_details: { article_ids: ['AP1001'] } }],
}
const trackingRequest = (afterMs: number, more: object = {}): FakeEntry => ({
  number: 1,
  at: '',
  what: 'request',
  operation: 'track',
  caller: 'key-of-auspost_vic',
  query: 'tracking_ids=AP1',
  arrived: new Date(NOON_MS + afterMs).toISOString(),
  status: 200,
  ...more,
})
const [job] = planNetworkDay(1, 1)

/** The evidence of a day without a violation. */
const GOOD: Evidence = {
  jobs: [
    { ...job!, reference: 'DAY-1', journey: 'delivered' },
    { ...job!, reference: 'DAY-2', journey: 'delivered' },
  ],
  played: {
    created: new Map([
      ['DAY-1', 'dlv_1'],
      ['DAY-2', 'dlv_2'],
    ]),
    amended: new Set(),
    cancelled: new Set(),
    refused: new Map([['cancel 409 not_cancellable', ['DAY-1']]]),
  },
  deliveredAtMs: new Map([
    ['dlv_1', NOON_MS],
    ['dlv_2', NOON_MS],
  ]),
  deliveries: [delivery('1', 'auspost_vic', 'AP1'), delivery('2', 'uber_direct', 'UD2')],
  manifests: [manifest],
  ledgerEntries: [posted, fast],
  orders: [order],
  endings: [{ key: fast.key, status: 'delivered' }],
  tracking: Array.from({ length: 20 }, (_, index) => trackingRequest(index * 6_001)),
}

const wrongIn = (changes: Partial<Evidence>): string[] =>
  judge(PROMISES, { ...GOOD, ...changes }).flatMap(({ wrong }) => wrong)

test('a correct day breaks no promise', () => {
  assert.deepEqual(wrongIn({}), [])
})

const CASES: readonly (readonly [name: string, changes: Partial<Evidence>, violation: RegExp])[] = [
  [
    'a second booking under the same key',
    { ledgerEntries: [posted, fast, { ...fast, id: 'twin' }] },
    /uber_direct twin .* was booked while .* was active/,
  ],
  [
    'a second booking under the next key',
    { ledgerEntries: [posted, fast, { ...fast, id: 'twin', key: 'dlv_2-2', unit: 'dlv_2-2' }] },
    /was booked while/,
  ],
  [
    'the same booking at two carriers',
    { ledgerEntries: [posted, fast, { ...fast, provider: 'doordash' }] },
    /dlv_2 is left with two bookings: uber_direct .* and doordash/,
  ],
  [
    'a booking without a delivery',
    { ledgerEntries: [posted, fast, booked('9', 'bob', 'LC9')] },
    /bob .* is active for dlv_9, which is unknown to us/,
  ],
  [
    'a booking that we call cancelled and the carrier does not',
    { deliveries: [GOOD.deliveries[0]!, delivery('2', 'uber_direct', 'UD2', { status: 'cancelled' })] },
    /uber_direct .* is active for DAY-2, which is cancelled/,
  ],
  [
    'a delivery without a booking',
    { ledgerEntries: [posted] },
    /DAY-2 is delivered and has no booking at a carrier/,
  ],
  [
    'a delivery whose booking the carrier cancelled',
    { ledgerEntries: [posted, fast, { ...fast, what: 'cancelled' }] },
    /DAY-2 is delivered and has no booking at a carrier/,
  ],
  [
    'a consignment number that differs from the carrier’s',
    { deliveries: [delivery('1', 'auspost_vic', 'AP7'), GOOD.deliveries[1]!] },
    /is active for DAY-1, which we call AP7/,
  ],
  ['an order without a manifest', { manifests: [] }, /order ORDER1 of auspost_vic has no manifest/],
  ['a manifest without an order at the carrier', { orders: [] }, /manifest man_1 has no order/],
  [
    'a parcel in two orders',
    {
      orders: [order, { ...order, id: 'ORDER2' }],
      manifests: [manifest, { ...manifest, id: 'man_2', external_ref: { order_id: 'ORDER2' } }],
    },
    /booking at-carrier-AP1 is in two orders/,
  ],
  [
    'an article that the order lacks',
    { orders: [{ ...order, bookings: [{ ...order.bookings[0]!, numbers: [] }] }] },
    /AP1001 is missing in the order/,
  ],
  [
    'a delivery that is in the order and not in the manifest',
    { orders: [{ ...order, bookings: [...order.bookings, { key: 'dlv_3-1', id: 'x', numbers: [] }] }] },
    /dlv_3 is only in the order/,
  ],
  [
    'a wrong count of items',
    { manifests: [{ ...manifest, counts: { items: 2 } }] },
    /counts 2 items, order ORDER1 1/,
  ],
  [
    'a manifest that is still on hold',
    { manifests: [{ ...manifest, status: 'on_hold' }] },
    /man_1 is on_hold/,
  ],
  [
    'eleven tracking requests in a minute',
    { tracking: Array.from({ length: 11 }, (_, index) => trackingRequest(index * 5_999)) },
    /sent 11 requests within 59990 ms/,
  ],
  [
    'eleven ids in a tracking request',
    { tracking: [trackingRequest(0, { query: `tracking_ids=${'A,'.repeat(10)}A` })] },
    /requested 11 ids at once/,
  ],
  [
    'a request that the carrier rejects with 429',
    { tracking: [trackingRequest(0, { status: 429 })] },
    /got a 429/,
  ],
  [
    'a delivery that its courier says was returned',
    { endings: [{ key: fast.key, status: 'returned' }] },
    /DAY-2 is delivered; its carrier says returned/,
  ],
  [
    'a delivery that never ends',
    { deliveries: [delivery('1', 'auspost_vic', 'AP1', { status: 'collected' }), GOOD.deliveries[1]!] },
    /DAY-1 is still collected/,
  ],
  ['a delivered delivery without its event', { deliveredAtMs: new Map() }, /DAY-1 is delivered and the feed/],
  ['a deleted delivery', { deliveries: [GOOD.deliveries[0]!], ledgerEntries: [posted] }, /DAY-2 is lost/],
  [
    'a refusal without a reason',
    { played: { ...GOOD.played, refused: new Map([['create 500 internal', ['DAY-3']]]) } },
    /DAY-3: create 500 internal/,
  ],
]

for (const [name, changes, violation] of CASES)
  test(`verification reports: ${name}`, () => {
    assert.match(wrongIn(changes).join('\n'), violation)
  })

test('a 429 that is an injected fault breaks no promise', () => {
  assert.deepEqual(wrongIn({ tracking: [trackingRequest(0, { status: 429, faults: ['status'] })] }), [])
})

test('several shipments of a booking, and a booking after a cancelled one, are not double bookings', () => {
  const second = { ...posted, unit: `${posted.key}/2`, id: 'second', numbers: ['AP1002'] }
  const again = { ...fast, key: 'dlv_2-2', unit: 'dlv_2-2', id: 'again' }
  const twoInOne = {
    ...order,
    bookings: [...order.bookings, { key: second.key, id: second.id, numbers: second.numbers }],
  }
  const whole = {
    ...manifest,
    counts: { items: 2 },
    manifest_deliveries: [{ delivery_id: 'dlv_1', tracking_details: { article_ids: ['AP1001', 'AP1002'] } }],
  }
  const parcels = [{ article_ids: ['AP1001', 'AP1002'] }]
  assert.deepEqual(
    wrongIn({
      ledgerEntries: [posted, second, fast, { ...fast, what: 'cancelled' }, again],
      orders: [twoInOne],
      manifests: [whole],
      deliveries: [delivery('1', 'auspost_vic', 'AP1', { parcels }), GOOD.deliveries[1]!],
    }),
    [],
  )
})

test('the same seed makes the same day, which has every kind and every journey', () => {
  const jobs = planNetworkDay(3, 5_000)
  assert.deepEqual(jobs, planNetworkDay(3, 5_000))
  for (const { name, share, journeys } of KINDS)
    for (const journey of share > 1 ? ['delivered', ...journeys.map(([one]) => one)] : ['delivered'])
      assert.ok(
        jobs.some(({ reference }) => reference.endsWith(`-${name}-${journey}`)),
        `${name} ${journey}`,
      )
})
