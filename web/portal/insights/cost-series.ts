import { eachCents, serviceName } from './format-figures.ts'
import type { Insights } from './insights-page.tsx'

export type Series = { name: string; points: { week: string; cents: number }[] }

/** Average cost each week: all carriers first, then each service by volume. Own couriers are left out. */
export function toCostSeries({ weeks: all, services }: Pick<Insights, 'weeks' | 'services'>): Series[] {
  const weeks = all.filter(({ provider }) => provider !== null)
  const carriers = new Map(services.map(({ provider, carrier }) => [provider, carrier]))
  const named = [
    ...Map.groupBy(weeks, (one) => serviceName({ ...one, carrier: carriers.get(one.provider) ?? null })),
  ]
  const busiest = named.sort(([, a], [, b]) => sum(b) - sum(a))
  return [
    { name: 'All carriers', points: sumByWeek(weeks) },
    ...busiest.map(([name, rows]) => ({ name, points: sumByWeek(rows) })),
  ]
}

/** The Monday of every week of a period, oldest first, also of weeks without an end of a delivery. */
export function mondaysOf({ from, to }: Pick<Insights, 'from' | 'to'>): string[] {
  const mondays: string[] = []
  for (let ms = Date.parse(mondayOf(from)); ms <= Date.parse(to); ms += 7 * DAY_MS) mondays.push(dateOf(ms))
  return mondays
}

/** Versions applied in each week, by its Monday: `38`, or `38–41` for several. */
export function versionsByWeek(versions: Insights['versions']): Map<string, { from: number; to: number }> {
  const groups = Map.groupBy(versions, ({ applied_at }) => mondayOf(applied_at.slice(0, 10)))
  return new Map(
    [...groups].map(([monday, theirs]) => {
      const numbers = theirs.map(({ version }) => version)
      return [monday, { from: Math.min(...numbers), to: Math.max(...numbers) }]
    }),
  )
}

export function formatVersion({ from, to }: { from: number; to: number }): string {
  return from === to ? `version ${from}` : `versions ${from}–${to}`
}

export type Mark = { x: number; from: number; to: number }
export type MarkLabel = Mark & { start: number; atEnd: boolean }

/** Labels of marks from left to right, within the edge; two that would overlap are merged. */
export function labelsOf(marks: readonly Mark[], { edge, width }: { edge: number; width: number }) {
  const labels: MarkLabel[] = []
  for (const mark of marks) {
    const atEnd = mark.x + width > edge
    const start = atEnd ? mark.x - width : mark.x
    const before = labels.at(-1)
    if (before && start < before.start + width) before.to = mark.to
    else labels.push({ ...mark, start, atEnd })
  }
  return labels
}

/** Positions of labels with a minimum distance, none beyond `max` while there is room above. */
export function spreadLabels(places: readonly number[], gap: number, max: number): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  let before = Number.NEGATIVE_INFINITY
  for (const one of order) {
    one.place = Math.max(one.place, before + gap)
    before = one.place
  }
  let next = max + gap
  for (const one of order.toReversed()) {
    one.place = Math.min(one.place, next - gap)
    next = one.place
  }
  const out = [...places]
  for (const { place, index } of order) out[index] = place
  return out
}

function sum(rows: Insights['weeks']): number {
  return rows.reduce((total, { deliveries }) => total + deliveries, 0)
}

function sumByWeek(rows: Insights['weeks']): Series['points'] {
  return [...Map.groupBy(rows, ({ week }) => week)]
    .map(([week, theirs]) => ({
      week,
      cents:
        eachCents({
          cost_cents: theirs.reduce((total, { cost_cents }) => total + cost_cents, 0),
          deliveries: sum(theirs),
        }) ?? 0,
    }))
    .sort((a, b) => (a.week < b.week ? -1 : 1))
}

const DAY_MS = 86_400_000

function mondayOf(date: string): string {
  const ms = Date.parse(date)
  return dateOf(ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS)
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
