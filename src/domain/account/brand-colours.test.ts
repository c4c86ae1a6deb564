import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bandColours, checkColour, contrast } from './brand-colours.ts'

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

test('a colour is checked against both texts, and has a nearest shade that passes', () => {
  const green = checkColour('#17513f')
  assert.deepEqual([green.isLegible, green.nearest], [true, '#17513f'])
  assert.equal(contrast('#ffffff', '#000000'), 21)
  // Between the two: neither white nor near-black reaches 4.5:1.
  const grey = checkColour('#7b7b7b')
  assert.equal(grey.isLegible, false)
  assert.ok(grey.white < 4.5 && grey.ink < 4.5, `${grey.white} ${grey.ink}`)
  assert.equal(bandColours(grey.nearest).band, grey.nearest, 'customers see it as it is')
  assert.match(grey.nearest, /^#7[0-9a-f]7[0-9a-f]7[0-9a-f]$/)
})

test('the nearest shade of any colour passes, and a colour that passes stays', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const given = `#${number.toString(16).padStart(6, '0')}`
      const { isLegible, nearest } = checkColour(given)
      assert.ok(checkColour(nearest).isLegible, `${given} → ${nearest}`)
      if (isLegible) assert.equal(nearest, given)
    }),
    { numRuns: 2_000 },
  )
})
