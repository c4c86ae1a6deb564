import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bandColours, contrast } from './brand-colours.ts'

test('text on a brand’s colour is white or near-black, whichever is more legible', () => {
  const cases: [string | null, string, string][] = [
    ['#17513f', '#17513f', '#ffffff'],
    ['#ffc71f', '#ffc71f', '#15181b'],
    ['#ffffff', '#ffffff', '#15181b'],
    ['#000000', '#000000', '#ffffff'],
    [null, '#1b2024', '#ffffff'],
  ]
  for (const [colour, band, text] of cases) assert.deepEqual(bandColours(colour), { band, text })
})

test('text on any colour is legible', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((number) => `#${number.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, (given) => {
      const { band, text } = bandColours(given)
      assert.ok(contrast(band, text) >= 4.5, `${given} became ${band} under ${text}`)
    }),
    { numRuns: 2_000 },
  )
})
