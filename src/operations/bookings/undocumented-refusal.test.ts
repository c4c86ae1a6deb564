import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import type { Booking, BookingRecovery, Carrier, Outcome, RetryAdvice } from '../../carriers/port/carrier.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { getDelivery } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import { bookNow } from './book-now.ts'

const CREATED = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
const HOUR_MS = 3_600_000
const undocumented = (ifRepeated: RetryAdvice): Outcome<never> => ({
  kind: 'unknown',
  message: 'E-4711: timeout of 30000ms exceeded',
  ifRepeated,
})
const noAnswer: Outcome<never> = { kind: 'unknown', message: 'No answer.' }
const made: Outcome<Booking> = {
  kind: 'yes',
  value: { consignmentNumber: 'X-1', articles: [], costCents: 890 },
}

/** A carrier that gives these answers one after the other, and the keys that it was asked with. */
function scripted(
  recovery: BookingRecovery,
  answers: readonly Outcome<Booking>[],
  found?: Outcome<Booking | null>,
) {
  const left = [...answers]
  const keys: string[] = []
  const carrier: Carrier = {
    recovery,
    async book({ key }) {
      keys.push(key)
      return left.shift() ?? made
    },
    ...(found && { find: async () => found }),
  }
  return { keys, carrier }
}

async function tryNow(fixture: Fixture, deps: Deps, hours: number): Promise<void> {
  await fixture.setClock(TUESDAY_TEN_MS + hours * HOUR_MS)
  await bookNow(deps, fixture.demo(), anyone, { idOrReference: 'U-1', storeReference: null })
}

async function standing(fixture: Fixture) {
  const { status, statusReason, chosen } = await getDelivery(fixture.deps, fixture.demo(), anyone, {
    idOrReference: 'U-1',
    storeReference: null,
  })
  const { rows } = await fixture.deps.db.query<{ state: string }>(
    'select state from booking_intents order by attempt',
  )
  return { status, reason: statusReason ?? '', chosen, states: rows.map(({ state }) => state) }
}

const KEYED: BookingRecovery = { kind: 'idempotency_key' }
const LOOKED_UP: BookingRecovery = { kind: 'look_up', settleMs: 0 }

const cases: readonly {
  title: string
  recovery: BookingRecovery
  answers: readonly Outcome<Booking>[]
  found?: Outcome<Booking | null>
  ends: { status: string; states: string[]; reason?: RegExp }
  /** How often the carrier is asked with the first key. */
  asked: number
}[] = [
  {
    title: 'the same key shows that the carrier had booked it',
    recovery: KEYED,
    answers: [undocumented('nobody'), made],
    ends: { status: 'booked', states: ['accepted'] },
    asked: 2,
  },
  {
    title: 'a second undocumented refusal under the same key is final',
    recovery: KEYED,
    answers: [undocumented('nobody'), undocumented('nobody')],
    ends: { status: 'on_hold', states: ['rejected'], reason: /refused it: E-4711/ },
    asked: 2,
  },
  {
    title: 'no answer between two undocumented refusals does not count',
    recovery: KEYED,
    answers: [noAnswer, undocumented('nobody'), noAnswer, undocumented('nobody')],
    ends: { status: 'on_hold', states: ['rejected'], reason: /refused it: E-4711/ },
    asked: 4,
  },
  {
    title: 'the look-up finds the booking',
    recovery: LOOKED_UP,
    answers: [undocumented('nobody')],
    found: made,
    ends: { status: 'booked', states: ['accepted'] },
    asked: 1,
  },
  {
    title: 'the look-up finds none: the refusal is final, and it is not booked there again',
    recovery: LOOKED_UP,
    answers: [undocumented('nobody')],
    found: { kind: 'yes', value: null },
    ends: { status: 'on_hold', states: ['rejected'], reason: /refused it: E-4711/ },
    asked: 1,
  },
  {
    title: 'a carrier that can do neither: a person is asked, with what it answered',
    recovery: { kind: 'neither' },
    answers: [undocumented('nobody')],
    ends: { status: 'on_hold', states: ['unknown'], reason: /an error that we don't know \(E-4711/ },
    asked: 1,
  },
]

for (const { title, recovery, answers, found, ends, asked } of cases) {
  test(`an undocumented refusal: ${title}`, async (t) => {
    const fixture = await testFixture(t, { work: false })
    const { carrier, keys } = scripted(recovery, answers, found)
    const deps: Deps = { ...fixture.deps, carrierOf: () => carrier }
    await createDelivery(
      fixture.deps,
      fixture.demo(),
      anyone,
      {
        ...deliveryRequest,
        reference: 'U-1',
        deliveryType: 'fast',
        readyForPickupAt: timestamp('2026-11-24T12:00:00+11:00'),
      },
      CREATED,
    )
    for (let tries = 1; tries <= 5; tries++) {
      await tryNow(fixture, deps, tries / 10)
      if ((await standing(fixture)).status !== 'requested') break
    }
    const { status, states, reason } = await standing(fixture)
    assert.deepEqual({ status, states }, { status: ends.status, states: ends.states })
    if (ends.reason) assert.match(reason, ends.reason)
    assert.equal(keys.length, asked)
    assert.equal(new Set(keys).size, 1, 'never under a second key')
  })
}

test('after an undocumented refusal the next carrier is booked only once the refusal is final', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const first = scripted(KEYED, [undocumented('another_carrier'), undocumented('another_carrier')])
  const others = scripted(KEYED, [made])
  let firstProvider: string | null = null
  const deps: Deps = {
    ...fixture.deps,
    carrierOf(_, provider) {
      firstProvider ??= provider
      return provider === firstProvider ? first.carrier : others.carrier
    },
  }
  const request = {
    ...deliveryRequest,
    reference: 'U-1',
    readyForPickupAt: timestamp('2026-11-24T10:00:00+11:00'),
  }
  await createDelivery(fixture.deps, fixture.demo(), anyone, { ...request, deliveryType: null }, CREATED)
  await tryNow(fixture, deps, 0.1)
  assert.equal((await standing(fixture)).status, 'requested')
  assert.equal(others.keys.length, 0, 'nobody else is asked while it is unknown')
  await tryNow(fixture, deps, 0.2)
  assert.equal(first.keys[0], first.keys[1], 'it was asked again under the same key')
  assert.equal((await standing(fixture)).states[0], 'rejected')
})
