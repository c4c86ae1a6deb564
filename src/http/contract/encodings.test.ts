import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Encoding, takesEncoding } from './encodings.ts'

test('an encoding is used if it is listed, and not with q=0, whatever the spacing', () => {
  const cases: [accepted: string, expected: Encoding[]][] = [
    ['', []],
    ['identity', []],
    ['gzip', ['gzip']],
    ['gzip, br', ['br', 'gzip']],
    ['GZIP', ['gzip']],
    ['gzip;q=0', []],
    ['gzip; q=0, identity', []],
    ['gzip ;q=0.000 , br ; q=0.5', ['br']],
    ['gzip\t;\tQ=0', []],
    ['gzip; q=0.001', ['gzip']],
    ['gzip;q=1, br; q=0', ['gzip']],
  ]
  for (const [accepted, expected] of cases) {
    const chosen = (['br', 'gzip'] as const).filter((one) =>
      takesEncoding({ headers: { 'accept-encoding': accepted } }, one),
    )
    assert.deepEqual(chosen, expected, accepted)
  }
})
