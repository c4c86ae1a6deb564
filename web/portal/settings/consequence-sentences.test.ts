import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toConsequences, toLastWeekSentences } from './consequence-sentences.ts'

const TODAY = Date.parse('2026-11-24') / 86_400_000
const saturday = { from: '2026-11-28T13:00:00+08:00', to: '2026-11-28T17:00:00+08:00' }
const monday = { from: '2026-11-30T09:00:00+08:00', to: '2026-11-30T13:00:00+08:00' }
const choice = { provider: 'swiftly', carrier: 'Swiftly', service: 'TODAY', cost_cents: 790 }
const changed = (id: string, before: typeof saturday, after: typeof saturday | null) => ({
  id,
  reference: id,
  store_name: 'Perth CBD',
  promised: before,
  before: { ...choice, window: before },
  after: after && { ...choice, window: after },
  reason: after ? null : 'The new settings remove the store.',
  unknown_carriers: [] as string[],
})

test('deliveries with the same old and new day share a sentence', () => {
  const earlier = { from: '2026-11-28T09:00:00+08:00', to: '2026-11-28T12:00:00+08:00' }
  const all = [
    changed('A', saturday, monday),
    changed('B', saturday, monday),
    changed('C', saturday, null),
    changed('D', saturday, earlier),
    { ...changed('E', saturday, null), unknown_carriers: ['Big Haul', 'StarTrack'] },
  ]
  const unbooked = { deliveries: 9, is_complete: true, changed_deliveries: 5, changed: all }
  const consequences = toConsequences({ unbooked }, TODAY)
  assert.deepEqual(
    consequences.map(({ text, deliveries }) => [text, deliveries.map(({ id }) => id).join()]),
    [
      ['2 deliveries promised for Saturday 28 November would now arrive on Monday 30 November.', 'A,B'],
      ['1 delivery promised for Saturday 28 November could no longer be made.', 'C'],
      [
        '1 delivery promised for Saturday 28 November between 1 pm and 5 pm would now arrive between 9 am and noon.',
        'D',
      ],
      [
        '1 delivery promised for Saturday 28 November can’t be checked, because we don’t know the live prices of Big Haul and StarTrack.',
        'E',
      ],
    ],
  )
})

test('the sentence about last week says how many would change, and for how much more or less', () => {
  const week = {
    deliveries: 214,
    is_complete: true,
    cost_cents_before: 130_120,
    cost_cents_after: 124_050,
    services: [],
    changed_deliveries: 12,
    changed: [],
    unavailable_deliveries: 0,
    unavailable: [],
    unknown_deliveries: 0,
    unknown: [],
  }
  assert.equal(
    toLastWeekSentences(week),
    '12 of 214 deliveries from the last seven days would have gone with another carrier or service. Carriers would have charged $60.70 less: $1,240.50 instead of $1,301.20.',
  )
  assert.match(
    toLastWeekSentences({ ...week, cost_cents_after: 130_120, changed_deliveries: 0 }),
    /^All 214 deliveries .* kept their carrier and service\. The cost would have been the same\.$/,
  )
  assert.match(toLastWeekSentences({ ...week, deliveries: 0 }), /^There were no carrier deliveries/)
  for (const [change, sentence] of [
    [
      { changed_deliveries: 214 },
      /^All 214 deliveries from the last seven days would have gone with another/,
    ],
    [
      { deliveries: 1, changed_deliveries: 1 },
      /^The only delivery from .* gone with another carrier or service\./,
    ],
    [
      { deliveries: 1_000, is_complete: false },
      /^12 of the newest 1,000 deliveries from the last seven days/,
    ],
  ] as const)
    assert.match(toLastWeekSentences({ ...week, ...change }), sentence)
})

test('deliveries that no service could have taken are not among those that are compared', () => {
  const week = {
    deliveries: 3,
    is_complete: true,
    cost_cents_before: 3_000,
    cost_cents_after: 3_000,
    services: [],
    changed_deliveries: 0,
    changed: [],
    unavailable_deliveries: 1,
    unavailable: [changed('E', saturday, null)],
    unknown_deliveries: 0,
    unknown: [],
  }
  assert.equal(
    toLastWeekSentences(week),
    '3 deliveries from the last seven days would have kept their carrier and service. The cost would have been the same. 1 other delivery couldn’t have gone with any service: E.',
  )
  assert.equal(
    toLastWeekSentences({
      ...week,
      deliveries: 0,
      unavailable_deliveries: 4,
      unavailable: [...'ABCD'].map((id) => changed(id, saturday, null)),
    }),
    '4 deliveries from the last seven days couldn’t have gone with any service: A, B and 2 more.',
  )
  const unknown = [{ ...changed('F', saturday, null), unknown_carriers: ['Big Haul'] }]
  assert.match(
    toLastWeekSentences({ ...week, unknown_deliveries: 1, unknown }),
    / any service: E\. 1 other delivery can’t be compared, because we don’t know the live prices of Big Haul\.$/,
  )
})
