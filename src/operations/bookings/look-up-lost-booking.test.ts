import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alternative, BookingIntent, LostPeriod } from '../../store/deliveries/booking-intents.ts'
import type { ClaimedDelivery } from './apply-transition.ts'
import { chooseAlternative, lookUpLostBooking } from './look-up-lost-booking.ts'

const option: Alternative['option'] = {
  provider: 'southern_parcels',
  carrierName: 'Southern Parcels',
  service: 'road',
  carrierCode: 'ROAD',
  manifestGroup: null,
  priceCents: 1_200,
  lines: [],
  numDays: 2,
  pickupMs: 0,
  quote: null,
  deliveryType: 'standard',
  windowFromMs: 0,
  windowToMs: 1,
  accountVersion: 1,
  manifestStatus: 'not_required',
}
const road: Alternative = {
  ...{ provider: 'southern_parcels', service: 'road', option },
  ...{ chargeCents: 1_000, markupPercent: null },
}
const air: Alternative = { ...road, service: 'air', chargeCents: 2_500 }
const live: Alternative = { ...road, chargeCents: null, markupPercent: 10 }

test('the service of a found booking is the one with its charge, otherwise the first', () => {
  assert.equal(chooseAlternative([road, air], { costCents: 2_500 }).service, 'air')
  assert.equal(chooseAlternative([road, air], { costCents: 2_600 }).service, 'road')
})

test('a known price does not change with the charge', () => {
  assert.equal(chooseAlternative([road], { costCents: 9_999 }).option.priceCents, 1_200)
})

test('if the carrier’s own price was lost, the price is its charge plus the account’s markup', () => {
  const { priceCents, lines } = chooseAlternative([live], { costCents: 1_005 }).option
  assert.equal(priceCents, 1_106)
  assert.deepEqual(
    lines.map(({ name, cents }) => [name, cents]),
    [
      ['carrier_price', 1_005],
      ['markup', 101],
    ],
  )
})

type Answer = 'none' | 'has it' | 'no answer'

/** Looks up a booking at these carriers; null: a carrier without a lookup. Counts the calls. */
async function lookUp(answers: Readonly<Record<string, Answer | null>>) {
  const calls: string[] = []
  const adopted: unknown[][] = []
  const carrierOf = (_: unknown, provider: string) => {
    const answer = answers[provider]
    if (answer === null) return {}
    const find = async (key: string) => {
      calls.push(`${provider} ${key}`)
      if (answer === 'no answer') return { kind: 'unknown', message: 'no answer' }
      return { kind: 'yes', value: answer === 'has it' && key === 'dlv_1-1' ? { costCents: 1_000 } : null }
    }
    return { recovery: { kind: 'look_up' }, find }
  }
  const db = { query: async ({ values }: { values: unknown[] }) => adopted.push(values) }
  const accounts = { find: () => ({}) }
  const work = {
    deps: { db, accounts, carrierOf },
    entry: { nowMs: () => 0 },
    claim: { key: { accountId: 'a', deliveryId: 'dlv_1' }, mayCall: async () => true },
  } as unknown as ClaimedDelivery
  const intent = { attempt: 1, key: 'dlv_1-1', settleInMs: 0, consignment: { askedAtMs: 0 }, keyAgeMs: 0 }
  const alternatives = Object.keys(answers).map((provider) => ({ ...road, provider }))
  const lost: LostPeriod = {
    ...{ momentMs: 0, lastAttempt: 3, dueAtMs: null, wasOnHold: false, isLookedUp: false },
    alternatives,
  }
  const { kind } = await lookUpLostBooking(work, intent as unknown as BookingIntent, lost)
  return { kind, calls: calls.length, isLookedUp: adopted.at(-1)?.at(-1) }
}

test('if a carrier does not answer, the others are still asked', async () => {
  assert.deepEqual(await lookUp({ silent: 'no answer', has: 'has it' }), {
    ...{ kind: 'found', calls: 4, isLookedUp: true },
  })
})

test('a person may record the only missing answer, or a carrier’s without a lookup once the others have answered', async () => {
  const cases: [Record<string, Answer | null>, string, boolean | undefined][] = [
    [{ a: 'no answer', b: 'none' }, 'unknown', true],
    [{ a: 'no answer', b: 'no answer' }, 'unknown', false],
    [{ a: 'no answer', staff: null }, 'unknown', false],
    [{ a: 'none', staff: null }, 'ask_staff', true],
    [{ a: 'none', b: 'none' }, 'none', undefined],
  ]
  for (const [answers, kind, isLookedUp] of cases) {
    const found = await lookUp(answers)
    assert.deepEqual([found.kind, found.isLookedUp], [kind, isLookedUp], JSON.stringify(answers))
  }
})
