import { dayNumber } from '../document/primitives.ts'
import { entries, textField } from './loose.ts'
import type { MistakesInSteps } from './mistake.ts'

/** Finds days on which a store has a closure and an extra opening. Reads documents of any shape. */
export function* openingMistakes(document: unknown): MistakesInSteps {
  for (const { value: store, path } of entries(document, 'stores')) {
    yield
    const closures = entries(store, 'closures', path).map(({ value }) => toDays(value))
    for (const { value, path: at } of entries(store, 'openings', path)) {
      const days = toDays(value)
      const clash = days && closures.find((closure) => closure && overlap(closure, days))
      if (!days || !clash) continue
      yield {
        path: [...at, 'from'],
        kind: 'conflict',
        wrong: `a closure also covers ${clash.from > days.from ? clash.from : days.from}`,
        remedy: 'remove the closure or the opening for that day',
      }
    }
  }
}

type Days = { from: string; to: string }

/** Dates of ISO 8601 sort like their days. */
function overlap(a: Days, b: Days): boolean {
  return a.from <= b.to && b.from <= a.to
}

function toDays(value: unknown): Days | null {
  const from = textField(value, 'from') ?? ''
  const to = textField(value, 'to') ?? from
  return [from, to].every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && dayNumber(day) !== null)
    ? { from, to }
    : null
}
