import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARTICLE } from '../../../test/documents/label-examples.ts'
import { dayWords, phoneWords, sizeWords, unWords, windowWords } from './format.ts'

test('a window says its day, and am or pm once where both ends share it', () => {
  const cases = [
    ['2026-11-24T14:00:00+11:00', '2026-11-24T20:00:00+11:00', 'Tue 24 Nov, 2 – 8 pm'],
    ['2026-11-24T11:30:00+11:00', '2026-11-24T12:30:00+11:00', 'Tue 24 Nov, 11:30 am – 12:30 pm'],
    ['2026-11-24T09:00:00+11:00', '2026-11-24T12:00:00+11:00', 'Tue 24 Nov, 9 am – noon'],
    ['2026-11-24T12:00:00+11:00', '2026-11-24T15:00:00+11:00', 'Tue 24 Nov, noon – 3 pm'],
    ['2026-12-31T20:00:00+11:00', '2027-01-01T00:30:00+11:00', 'Thu 31 Dec, 8 pm – Fri 1 Jan, 12:30 am'],
  ] as const
  for (const [from, to, words] of cases) assert.equal(windowWords({ from, to }), words)
})

test('days, sizes, phones and UN numbers are said as people say them', () => {
  assert.equal(dayWords('2028-02-29'), 'Tue 29 Feb')
  assert.equal(sizeWords({ ...ARTICLE, weightKg: 0.1234, lengthCm: 10.04 }), '0.13 kg, 10.1 × 20 × 15 cm')
  assert.equal(sizeWords({ ...ARTICLE, weightKg: 0.1 + 0.2 }), '0.3 kg, 30 × 20 × 15 cm')
  assert.equal(phoneWords('+61491570156'), '0491 570 156')
  assert.equal(phoneWords('+61390000000'), '03 9000 0000')
  assert.equal(phoneWords('+6421000000'), '+6421000000')
  assert.equal(unWords('1266'), 'UN1266')
  assert.equal(unWords('UN 3481'), 'UN3481')
})
