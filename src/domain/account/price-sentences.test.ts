import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPriceSentences } from './price-sentences.ts'

const rate = (up_to_kg: number, cents: number, cents_per_extra_kg?: number) => ({
  zone: 'metro',
  up_to_kg,
  cents,
  ...(cents_per_extra_kg !== undefined && { cents_per_extra_kg }),
})
const many = (cents: number) => Array.from({ length: 400 }, (_, n) => rate(n + 1, cents + n))
const codes = (count: number) => Array.from({ length: count }, (_, n) => String(3000 + 2 * n))

const ROWS: [field: string, from: unknown, to: unknown, sentences: string[] | null][] = [
  ['price', { base_cents: 790 }, undefined, ['TODAY no longer has the price that you typed in.']],
  [
    'price',
    undefined,
    {
      base_cents: 790,
      distance: { included_km: 5, cents_per_km: 70 },
      weight: { cents_per_kg: 20 },
      fuel_percent: 8.5,
    },
    [
      'TODAY has a price of its own: $7.90, plus $0.70 a kilometre after the first 5 km, plus $0.20 a kilogram, plus 8.5% for fuel.',
    ],
  ],
  [
    'price',
    undefined,
    { base_cents: { same_metro: 790, same_state: 1100, interstate_capital: 1500, rest: 1950 } },
    ['TODAY has a price of its own: $7.90 to $19.50 by zone.'],
  ],
  [
    'rate_card',
    undefined,
    { zones: { metro: ['3000'] }, rates: [rate(5, 950)] },
    ['TODAY has a price list with 1 price in 1 zone.'],
  ],
  ['rate_card', { zones: {}, rates: [] }, undefined, ['TODAY no longer has a price list.']],
  [
    'rate_card.rates',
    [rate(5, 950), rate(10, 1200), rate(25, 1450, 30)],
    [rate(5, 990), rate(25, 1450, 50), rate(30, 2000)],
    [
      'TODAY: the price for metro up to 5 kg changes from $9.50 to $9.90.',
      'TODAY: the price of each kilogram over 25 kg for metro changes from $0.30 to $0.50.',
      'TODAY no longer has a price for metro up to 10 kg.',
      'TODAY has a new price for metro up to 30 kg: $20.00.',
    ],
  ],
  [
    'rate_card.zones.metro',
    ['3000-3207'],
    ['3000'],
    ['TODAY: zone “metro” now covers postcode 3000 instead of postcodes 3000–3207.'],
  ],
  ['rate_card.zones.bush', undefined, codes(9), ['TODAY has a new zone “bush” for 9 postcodes and ranges.']],
  ['rate_card.zones.bush', codes(2), undefined, ['TODAY no longer has the zone “bush”.']],
  [
    'rate_card.surcharges',
    [{ name: 'Fuel', percent: 8 }, { name: 'Long' }],
    [{ name: 'Fuel', percent: 9 }, { name: 'Heavy' }],
    [
      'TODAY: the surcharge “Fuel” changes.',
      'TODAY no longer has the surcharge “Long”.',
      'TODAY has a new surcharge “Heavy”.',
    ],
  ],
  ['price.base_cents', 790, 890, null],
]

test('prices that change are named, with what they were', () => {
  for (const [field, from, to, sentences] of ROWS) {
    assert.deepEqual(toPriceSentences('TODAY', { field, from, to }), sentences, field)
  }
})

test('of a whole new price list five prices are named', () => {
  const sentences = toPriceSentences('TODAY', { field: 'rate_card.rates', from: many(900), to: many(950) })
  assert.equal(sentences?.length, 6)
  assert.equal(sentences?.at(-1), 'TODAY: 395 other prices change.')
})
