import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { getParser, parseExact, parseInstant } from './value-parsers.ts'

test('an instant is read as epoch milliseconds', () => {
  const cases = [
    ['2026-11-21 11:55:24+00', '2026-11-21T11:55:24Z'],
    ['2026-11-21 11:55:24.5+00', '2026-11-21T11:55:24.5Z'],
    ['2026-11-21 11:55:24.123456+00', '2026-11-21T11:55:24.123Z'],
    ['2026-11-21 11:55:24.999999+00', '2026-11-21T11:55:24.999Z'],
    ['2026-11-21 22:25:24.25+10:30', '2026-11-21T11:55:24.25Z'],
    ['2026-11-21 21:55:24+10', '2026-11-21T11:55:24Z'],
  ] as const
  for (const [text, iso] of cases) assert.equal(parseInstant(text), Date.parse(iso), text)
  assert.equal(parseInstant('infinity'), Number.POSITIVE_INFINITY)
  assert.throws(() => parseInstant('0044-03-15 12:00:00+00 BC'), RangeError)
})

test('every millisecond of four-digit years survives a round trip', () => {
  const min = Date.parse('1000-01-01T00:00:00Z')
  const max = Date.parse('9999-12-31T23:59:59.999Z')
  fc.assert(
    fc.property(fc.integer({ min, max }), (ms) => {
      const text = new Date(ms).toISOString().replace('T', ' ').replace('Z', '+00')
      assert.equal(parseInstant(text), ms)
    }),
  )
})

test('a whole number that would lose digits is refused', () => {
  assert.equal(parseExact('9007199254740991'), 9007199254740991)
  assert.equal(parseExact('-12.50'), -12.5)
  assert.throws(() => parseExact('9007199254740993'), RangeError)
})

test('arrays are read by the same rules', () => {
  assert.deepEqual(getParser(1016, 'text')('{1,NULL,3}'), [1, null, 3])
  assert.deepEqual(getParser(1016, 'text')('{}'), [])
  assert.deepEqual(getParser(1185, 'text')('{"1970-01-01 00:00:01+00"}'), [1000])
  assert.equal(getParser(1082, 'text')('2026-12-25'), '2026-12-25')
})
