import type { Insights } from './insights-page.tsx'
import { eachCents, serviceName } from './words.ts'

export type Series = { name: string; points: { week: string; cents: number }[] }

/** What one cost each week: all deliveries first, then each service, the busiest first. */
export function costSeries({ weeks, services }: Pick<Insights, 'weeks' | 'services'>): Series[] {
  const carriers = new Map(services.map(({ provider, carrier }) => [provider, carrier]))
  const all = sumByWeek(weeks)
  const named = [
    ...Map.groupBy(weeks, (one) => serviceName({ ...one, carrier: carriers.get(one.provider) ?? null })),
  ]
  const busiest = named.sort(([, a], [, b]) => sum(b) - sum(a)).slice(0, MOST)
  return [
    { name: 'All deliveries', points: all },
    ...busiest.map(([name, rows]) => ({ name, points: sumByWeek(rows) })),
  ]
}

/** More lines than these are told apart by nobody. */
const MOST = 5

function sum(rows: Insights['weeks']): number {
  return rows.reduce((total, { deliveries }) => total + deliveries, 0)
}

function sumByWeek(rows: Insights['weeks']): Series['points'] {
  return [...Map.groupBy(rows, ({ week }) => week)]
    .map(([week, theirs]) => ({
      week,
      cents: eachCents({
        cost_cents: theirs.reduce((total, { cost_cents }) => total + cost_cents, 0),
        deliveries: sum(theirs),
      }),
    }))
    .sort((a, b) => (a.week < b.week ? -1 : 1))
}
