import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkOption } from '../shared/api.generated.ts'
import { byDay, choicesOf, placeOnDay } from './options.ts'

const option = (from: string, to: string, price_cents: number) =>
  ({ from_datetime: from, to_datetime: to, price_cents }) as LinkOption
const options = {
  standard: option('2026-11-25T08:00:00+11:00', '2026-11-25T18:00:00+11:00', 990),
  express: option('2026-11-25T08:00:00+11:00', '2026-11-25T18:00:00+11:00', 1_990),
  fast: option('2026-11-24T11:22:00+11:00', '2026-11-24T12:22:00+11:00', 1_400),
}

test('times are told soonest first, and of two at the same time the cheaper one', () => {
  const choices = choicesOf(options, 'Australia/Melbourne')
  assert.deepEqual(
    choices.map(({ type }) => type),
    ['fast', 'standard'],
  )
  assert.deepEqual(
    byDay(choices).map((day) => day.choices.length),
    [1, 1],
  )
})

test('times are those of the door’s own clock', () => {
  const [first] = choicesOf(options, 'Australia/Perth')
  assert.deepEqual(first?.window.from.minute, 8 * 60 + 22)
})

test('a time before or after the day stands at its end', () => {
  assert.deepEqual([0, 480, 840, 1_200, 1_439].map(placeOnDay), [0, 0, 50, 100, 100])
})
