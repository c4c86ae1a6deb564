import { WEEKDAYS } from '../../values.ts'
import { rangeMinutes } from '../document/primitives.ts'
import { Hours } from '../hours.ts'
import { hoursByDay } from '../snapshot/hours-by-day.ts'
import { entries, field, numberField } from './loose.ts'
import type { AccountMistake } from './mistake.ts'

/** Checks the trading hours and the pickup hours of stores against each other. Reads documents of any shape. */
export function* hoursMistakes(document: unknown): Generator<AccountMistake> {
  for (const { value: store, path } of entries(document, 'stores')) {
    const minutes = numberField(store, 'pickup_ends_before_closing_minutes')
    if (minutes === undefined) continue
    const at = [...path, 'pickup_ends_before_closing_minutes']
    if (field(store, 'pickup_hours') !== undefined) {
      yield {
        path: at,
        kind: 'conflict',
        wrong: '`pickup_hours` is given too',
        remedy: 'keep one of the two',
      }
    }
    const hours = Hours.safeParse(field(store, 'hours'))
    if (!hours.success) continue
    const week = hoursByDay(hours.data)
    const short = WEEKDAYS.find((day) => week[day].length > 0 && lastLength(week[day]) <= minutes)
    if (short) {
      yield {
        path: at,
        kind: 'out_of_range',
        wrong: `leaves no time for pickups on ${short}`,
        remedy: 'fewer minutes, or `pickup_hours` instead',
      }
    }
  }
}

function lastLength(ranges: readonly string[]): number {
  const { open, close } = rangeMinutes(ranges.at(-1)!)
  return close - open
}
