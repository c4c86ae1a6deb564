import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LinkOption } from '../shared/api.generated.ts'
import { byDay, choicesOf, placeOnDay, stillHeld } from './options.ts'

const option = (from: string, to: string, price_cents: number) =>
  ({ from_datetime: from, to_datetime: to, price_cents }) as LinkOption
const options = {
  standard: option('2026-11-25T08:00:00+11:00', '2026-11-25T18:00:00+11:00', 990),
  express: option('2026-11-25T08:00:00+11:00', '2026-11-25T18:00:00+11:00', 1_990),
  fast: option('2026-11-24T11:22:00+11:00', '2026-11-24T12:22:00+11:00', 1_400),
}

test('times are sorted soonest first, and the cheaper of two at the same time', () => {
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

test('times are in the time zone of the address', () => {
  const [first] = choicesOf(options, 'Australia/Perth')
  assert.deepEqual(first?.window.from.minute, 8 * 60 + 22)
})

test('a time before or after the day is placed at the edge of the day', () => {
  assert.deepEqual([0, 480, 840, 1_200, 1_439].map(placeOnDay), [0, 0, 50, 100, 100])
})

test('a picked time stays as shown while it is free, and is dropped once the times move past it', () => {
  const [picked] = choicesOf(options, 'Australia/Melbourne')
  const at = (from: string, to: string) => choicesOf({ fast: option(from, to, 1_500) }, 'Australia/Melbourne')
  const later = at('2026-11-24T11:40:00+11:00', '2026-11-24T12:40:00+11:00')
  assert.equal(stillHeld(picked!, later), picked)
  const tomorrow = at('2026-11-25T09:00:00+11:00', '2026-11-25T10:00:00+11:00')
  assert.equal(stillHeld(picked!, tomorrow), null)
  assert.equal(stillHeld(picked!, []), null)
  assert.equal(stillHeld(null, later), null)
})
