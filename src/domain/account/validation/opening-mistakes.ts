import { dayNumber } from '../document/primitives.ts'
import type { Path } from '../document/schema-at.ts'
import { entries, textField } from './loose.ts'
import type { AccountMistake, MistakesInSteps } from './mistake.ts'

/**
 * Finds days on which a store has two extra openings, or a closure and an extra opening. Reads documents of any shape.
 * A store can have 1,000 of each, so both are walked in order of their first day.
 */
export function* openingMistakes(document: unknown): MistakesInSteps {
  for (const { value: store, path } of entries(document, 'stores')) {
    yield
    const openings = listByFirstDay(store, 'openings', path)
    if (openings.length === 0) continue
    yield* sharedDays(openings)
    yield* closedDays(openings, merge(listByFirstDay(store, 'closures', path)))
  }
}

type Days = { from: string; to: string }
type Entry = Days & { path: Path }

function* sharedDays(openings: readonly Entry[]): MistakesInSteps {
  let last: Entry | null = null
  for (const opening of openings) {
    if (last && opening.from <= last.to) {
      const dates = last.from === last.to ? '' : ` (${last.from} to ${last.to})`
      yield conflict(
        opening,
        `another extra opening${dates} already covers ${opening.from}`,
        'change the dates, or put the hours of both into one extra opening',
      )
    }
    if (!last || opening.to > last.to) last = opening
  }
}

function* closedDays(openings: readonly Entry[], closures: readonly Days[]): MistakesInSteps {
  let next = 0
  for (const opening of openings) {
    while (next < closures.length && closures[next]!.to < opening.from) next++
    const closure = closures[next]
    if (!closure || closure.from > opening.to) continue
    yield conflict(
      opening,
      `a closure also covers ${closure.from > opening.from ? closure.from : opening.from}`,
      'remove the closure or the extra opening for that day',
    )
  }
}

function conflict({ path }: Entry, wrong: string, remedy: string): AccountMistake {
  return { path: [...path, 'from'], kind: 'conflict', wrong, remedy }
}

/** Overlapping ones as one. */
function merge(sorted: readonly Days[]): Days[] {
  const merged: Days[] = []
  for (const { from, to } of sorted) {
    const last = merged.at(-1)
    if (!last || from > last.to) merged.push({ from, to })
    else if (to > last.to) last.to = to
  }
  return merged
}

/** Dates of ISO 8601 sort like their days. Days that do not exist or end before they begin are mistakes of their own. */
function listByFirstDay(store: unknown, name: string, above: Path): Entry[] {
  return entries(store, name, above)
    .flatMap(({ value, path }) => {
      const from = textField(value, 'from') ?? ''
      const to = textField(value, 'to') ?? from
      return from <= to && isDay(from) && isDay(to) ? [{ from, to, path }] : []
    })
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayNumber(text) !== null
}
