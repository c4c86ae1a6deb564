import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import type { SheetInput } from '../text/sheet-table.ts'
import { RateCardDocument } from './document/document-rate-card.ts'
import { type RateCardInput, rateCardSheet, readRateCardSheet } from './rate-card-sheet.ts'

/** The rows as one sheet of a file. */
function sheet(rows: readonly (readonly string[])[]): SheetInput[] {
  const filled = rows.map((cells, index) => ({ row: index + 1, cells }))
  return [
    {
      name: null,
      rows: filled.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
      oddities: [],
    },
  ]
}

const HEADS = ['Kind', 'Zone', 'Postcodes', 'Up to kg', 'Price', 'Per extra kg', 'Name', 'When', 'Percent']

test('a price list as people write it becomes a rate card', () => {
  const { card, mistakes } = readRateCardSheet(
    sheet([
      HEADS,
      ['zone', 'metro', '3000-3207, 3220', '', '', '', '', '', ''],
      ['', '', '', '', '', '', '', '', ''],
      ['Rate', 'metro', '', '5', '$9.50', '', '', '', ''],
      ['rate', 'metro', '', '25', '14.5', '0.605'],
      ['surcharge', '', '', '', '15', '', 'Long', 'Over 120 cm', ''],
      ['surcharge', '', '', '', '', '', 'Fuel', '', '8.5 %'],
    ]),
  )
  assert.deepEqual(mistakes, [])
  assert.deepEqual(card, {
    zones: { metro: ['3000-3207', '3220'] },
    rates: [
      { zone: 'metro', up_to_kg: 5, cents: 950 },
      { zone: 'metro', up_to_kg: 25, cents: 1_450, cents_per_extra_kg: 60.5 },
    ],
    surcharges: [
      { name: 'Long', over_cm: 120, cents: 1_500 },
      { name: 'Fuel', percent: 8.5 },
    ],
  })
})

test('reports every mistake at once, by row and column', () => {
  const { card, mistakes } = readRateCardSheet(
    sheet([
      HEADS,
      ['zone', 'metro', '3000-3207', '', '', '', '', '', ''],
      ['zone', 'inner', '3050', '', '', '', '', '', ''],
      ['zone', 'odd', '30500', '', '', '', '', '', ''],
      ['rate', 'metro', '', 'five', '9.50', '', '', '', ''],
      ['rate', 'metro', '', '5', '9.505', '', '', '', ''],
      ['rate', 'moon', '', '5', '', '', '', '', ''],
      ['surcharge', '', '', '', '1', '', 'Night', 'at night', ''],
      ['fee', '', '', '', '1', '', '', '', ''],
    ]),
  )
  assert.equal(card, null)
  const places = mistakes.map(({ row, column }) => `${row} ${column}`)
  for (const expected of ['4 postcodes', '5 up_to_kg', '6 price', '7 price', '8 when', '9 kind']) {
    assert.ok(places.includes(expected), `${expected} among ${places}`)
  }
  const meant = readRateCardSheet(
    sheet([
      HEADS,
      ['zone', 'metro', '3000-3207', '', '', '', '', '', ''],
      ['zone', 'inner', '3050', '', '', '', '', '', ''],
      ['rate', 'metro', '', '5', '9.50', '', '', '', ''],
      ['rate', 'moon', '', '5', '9.50', '', '', '', ''],
    ]),
  )
  assert.deepEqual(
    meant.mistakes.map(({ row, column }) => [row, column]),
    [
      [3, 'postcodes'],
      [3, 'postcodes'],
      [5, 'zone'],
    ],
  )
})

test('a sheet without its columns is rejected with that reason', () => {
  for (const rows of [[], [[]], [['a', 'b']], [['kind', 'zone']]]) {
    assert.deepEqual(
      readRateCardSheet(sheet(rows)).mistakes.map(({ row }) => row),
      [1],
    )
  }
})

test('a rate card survives a round trip through a sheet', () => {
  const cents = fc.integer({ min: 0, max: 100_000 })
  const card: fc.Arbitrary<RateCardInput> = fc
    .record({
      codes: fc.uniqueArray(fc.integer({ min: 1_000, max: 9_999 }), { minLength: 1, maxLength: 6 }),
      weights: fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 }),
      price: cents,
      extra: fc.option(fc.integer({ min: 1, max: 90_000 }), { nil: undefined }),
      over: fc.integer({ min: 1, max: 300 }),
    })
    .map(({ codes, weights, price, extra, over }) => ({
      zones: { here: codes.map((code) => `${code}`) },
      rates: weights.map((kg) => ({
        ...{ zone: 'here', up_to_kg: kg / 2, cents: price },
        ...(extra === undefined ? {} : { cents_per_extra_kg: extra / 100 }),
      })),
      surcharges: [
        { name: 'Long', over_cm: over, cents: price + 1, percent: 0 },
        { name: 'Fuel', when: 'always' as const, cents: 0, percent: over / 10 },
      ],
    }))
  fc.assert(
    fc.property(card, (given) =>
      assert.deepEqual(
        RateCardDocument.parse(readRateCardSheet(sheet(rateCardSheet(given))).card),
        RateCardDocument.parse(given),
      ),
    ),
  )
})

test('never throws for any sheet', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('zone', 'rate', 'surcharge', '__proto__', 'constructor', '3000', '5'),
  )
  fc.assert(
    fc.property(fc.array(fc.array(cell, { maxLength: 9 })), (rows) => {
      const { card, mistakes } = readRateCardSheet(sheet([HEADS, ...rows]))
      assert.equal(card === null, mistakes.length > 0)
    }),
  )
})

test('reads amounts, weights, percentages and ranges as people write them', () => {
  const { card, mistakes } = readRateCardSheet(
    sheet([
      ['Price list 2027'],
      HEADS,
      ['zone', 'metro', '3000–3207; 3220 / 800', '', '', '', '', '', ''],
      ['rate', 'metro', '', '5 kg', '$1,450.00', '', '', '', ''],
      ['rate', 'metro', '', '10kg', 'AUD 12', '', '', '', ''],
      ['rate', 'metro', '', '25', '14,50', '0.60/kg', '', '', ''],
      ['surcharge', '', '', '', '', '', 'Fuel', '', '8,5 %'],
    ]),
  )
  assert.deepEqual(mistakes, [])
  assert.deepEqual(card?.zones, { metro: ['3000-3207', '3220', '0800'] })
  assert.deepEqual(
    card?.rates.map(({ cents }) => cents),
    [145_000, 1_200, 1_450],
  )
  assert.deepEqual(card?.surcharges, [{ name: 'Fuel', percent: 8.5 }])
})

test('a column that is misspelt or appears twice is refused with the nearest name, never dropped', () => {
  const mistakesOf = (...heads: string[]) =>
    readRateCardSheet(sheet([heads, ['zone', 'a', '3000']])).mistakes.map(({ message }) => message)
  assert.match(mistakesOf(...HEADS.slice(0, 5), 'per_extra_kilo').join(' '), /per_extra_kilo.*per_extra_kg/)
  assert.match(mistakesOf(...HEADS, 'Price').join(' '), /The column price appears twice/)
  assert.match(mistakesOf('kind', 'zone', 'postcodes', 'prise').join(' '), /"prise" should be price/)
})

test('the list may be on another sheet; merged and hidden rows are rejected', () => {
  const [list] = sheet([HEADS, ['zone', 'a', '3000'], ['rate', 'a', '', '5', '9.50']])
  assert.ok(list)
  const notes = { name: 'Notes', rows: [{ row: 1, cells: ['Call Bob.'] }], oddities: [] }
  assert.deepEqual(readRateCardSheet([notes, list]).mistakes, [])
  const odd = { ...list, oddities: [{ row: 3, message: 'Row 3 is hidden.' }] }
  assert.match(readRateCardSheet([odd]).mistakes[0]?.message ?? '', /Row 3 is hidden\./)
})

test('a cell with a million blanks is read as if it had one; a message quotes only the start of a long cell', () => {
  const blanks = ' '.repeat(1_000_000)
  const { card, mistakes } = readRateCardSheet(
    sheet([HEADS, ['zone', 'a', `3000${blanks}3001`], ['rate', 'a', '', `5${blanks}kg`, `AUD${blanks}9.50`]]),
  )
  assert.deepEqual(mistakes, [])
  assert.deepEqual(card?.zones, { a: ['3000', '3001'] })
  assert.equal(card?.rates[0]?.cents, 950)
  const long = readRateCardSheet(sheet([HEADS, ['9'.repeat(1_000), 'a', '3000']])).mistakes
  assert.match(long.map(({ message }) => message).join('\n'), /^"9{60}…" is not a kind of row/m)
})
